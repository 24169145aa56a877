import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { closestWord } from '../../../src/common/closest-word.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept } from '../../../src/core/model/model.ts';
import { sensitiveViolation } from '../../../src/core/personal-data/check-sensitive.ts';
import { given } from '../../../src/testing/given.ts';
import { root } from '../../support/docs/markdown.ts';

const events = {
  'name.given': v.object({ name: v.string(), contact: v.object({ email: v.string() }) }),
  noted: v.unknown(),
  closed: v.object({}),
};
const wrong = (marked: Record<string, string[]>) => sensitiveViolation({ events: marked }, events);

describe('the sensitive fields of a model', () => {
  it.each<[what: string, marked: Record<string, string[]>]>([
    ['fields of a schema', { 'name.given': ['name', 'contact.email', 'contact.*'] }],
    ['any field if the schema allows any', { noted: ['what.ever', '*.x'] }],
    ['an empty list of fields for an event', { closed: [] }],
    ['an empty list of events', {}],
  ])('can be %s', (_, marked) => {
    expect(wrong(marked)).toBeUndefined();
  });

  it.each<[what: string, marked: Record<string, string[]>, message: string]>([
    [
      'a misspelled field',
      { 'name.given': ['nmae'] },
      'sensitive.events["name.given"]: "nmae" matches no field of the event\'s schema. Did you mean "name"? The schema has name, contact.',
    ],
    [
      'a misspelled nested field',
      { 'name.given': ['name', 'contact.emial'] },
      '"contact.emial" matches no field of the event\'s schema. Did you mean "contact.email"? "contact" has contact.email.',
    ],
    [
      'a field of a string',
      { 'name.given': ['name.first'] },
      '"name.first" matches no field of the event\'s schema. "name" has no fields.',
    ],
    ['a field of an event without fields', { closed: ['x'] }, '. The schema has no fields.'],
    [
      'a misspelled event',
      { 'name.givn': ['name'] },
      'sensitive.events["name.givn"]: the model does not declare this event. Did you mean "name.given"?',
    ],
    [
      'an unknown event',
      { opened: ['name'] },
      'sensitive.events["opened"]: the model does not declare this event.',
    ],
    ['an invalid path', { noted: ['a..b'] }, '"a..b" is not a valid path of a sensitive field'],
  ])('cannot be %s', (_, marked, message) => {
    expect(wrong(marked)).toContain(message);
  });

  it('lead to the error message in docs/how-to/protect-personal-data.md if one is misspelled', async () => {
    const page = await readFile(join(root, 'docs/how-to/protect-personal-data.md'), 'utf8');
    const one = { 'name.given': v.object({ name: v.nullable(v.string()) }) };
    const message = sensitiveViolation({ events: { 'name.given': ['nmae'] } }, one);
    expect(page).toContain(`\nmodel "booking": ${message}\n`);
  });

  it('lead to an error message that lists at most 20 fields of the schema if a sensitive field resembles none of its fields', () => {
    const names = Array.from({ length: 50 }, (_, index) => [`field${index}`, v.string()]);
    const wide = { wide: v.object(Object.fromEntries(names)) };
    const message = sensitiveViolation({ events: { wide: ['unlike'] } }, wide);
    expect(message).toMatch(
      /matches no field of the event's schema\. The schema has field0, .*field19, …\.$/,
    );
  });

  it('prevent the model from loading if one sensitive field matches no field of the schema', () => {
    const define = () =>
      defineModel({
        id: 'booking',
        title: 'A booking',
        statuses: ['Open'],
        events,
        initial: () => ({}),
        transition: (_, state) => accept(state),
        describe: () => ({ status: 'Open' }),
        sensitive: { events: { 'name.given': ['nmae'] } },
      });
    expect(() => given(define(), { type: 'closed' })).toThrow(
      'model "booking": sensitive.events["name.given"]: "nmae" matches no field',
    );
  });
});

describe('the closest word', () => {
  it.each([
    ['nmae', ['age', 'name', 'names'], 'name'],
    ['Name', ['name'], 'name'],
    ['pasport', ['passport', 'port'], 'passport'],
    ['unlike', ['name', 'contact'], undefined],
    ['x', [], undefined],
  ])('to %s in %j is %s', (word, words, expected) => {
    expect(closestWord(word, words)).toBe(expected);
  });
});
