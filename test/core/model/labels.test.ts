import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { translate } from '../../../src/core/model/labels.ts';
import { accept } from '../../../src/core/model/model.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const withLabels = (labels: object) =>
  defineModel({
    id: 'order',
    title: 'An order',
    statuses: ['Open', 'Closed'],
    milestones: [{ id: 'paid', label: 'Paid' }],
    labels,
    events: { opened: v.object({}) },
    initial: () => ({}),
    transition: () => accept({}),
    describe: () => ({ status: 'Open' }),
  });

describe('the labels of a model', () => {
  it('translate its title, its statuses, and the labels of its milestones', () => {
    const labels = { de: { 'An order': 'Eine Bestellung', Open: 'Offen', Paid: 'Bezahlt' } };
    expect(withLabels(labels).labels).toEqual(labels);
    const texts = ['An order', 'Open', 'Paid'].map((text) => translate(labels, 'de', text));
    expect(texts).toEqual(['Eine Bestellung', 'Offen', 'Bezahlt']);
  });

  it('leave text unchanged if they do not contain the text or the language', () => {
    const labels = { de: { Open: 'Offen' } };
    expect(translate(labels, 'de', 'Closed')).toBe('Closed');
    expect(translate(labels, 'fr', 'Open')).toBe('Open');
    expect(translate(undefined, 'de', 'Open')).toBe('Open');
    expect(translate(labels, 'de', 'constructor')).toBe('constructor');
  });

  it.each<[what: string, labels: object, message: string]>([
    [
      'a language that customer pages do not have',
      { nl: { Open: 'Open' } },
      '`labels` contains the unsupported language "nl"; customer pages support ar, de, en, es, fr, pt',
    ],
    [
      'text that the model does not have',
      { de: { Opened: 'Geöffnet' } },
      'labels.de["Opened"] translates text that is not the title, a status, or the label of a milestone',
    ],
    ['the id of a milestone', { de: { paid: 'Bezahlt' } }, 'labels.de["paid"] translates text'],
    ['an empty translation', { de: { Open: '' } }, 'must have 1 to 256 characters; it has 0'],
    ['a translation of 257 characters', { de: { Open: 'x'.repeat(257) } }, 'it has 257'],
  ])('are rejected if they contain %s', (_, labels, message) => {
    expect(thrownBy(() => withLabels(labels))).toMatchObject({
      code: 'bad-model',
      message: expect.stringContaining(message),
    });
  });
});
