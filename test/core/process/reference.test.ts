import { given } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/json/json.ts';
import type { Description } from '../../../src/core/model/description.ts';
import type { Model } from '../../../src/core/model/model.ts';
import type { ProcessDeclaration } from '../../../src/core/process/declaration.ts';
import { defineProcess } from '../../../src/core/process/define-process.ts';
import type { ProcessState } from '../../../src/core/process/state.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const declared: ProcessDeclaration = {
  id: 'order',
  milestones: [
    { id: 'paid', label: 'Paid', on: 'order.paid' },
    { id: 'sent', label: 'Sent', on: 'order.sent' },
  ],
  keep: { number: '/data/order/number' },
  reference: 'number',
};
const process = defineProcess(declared);

/** Returns the description after events with the given data. */
function described(model: Model<ProcessState>, ...data: Json[]): Description {
  const types = ['order.paid', 'order.sent'];
  const events = data.map((each, index) => ({ type: types[index]!, data: each }));
  let found: Description | undefined;
  given(model, ...events.slice(0, -1))
    .when(events.at(-1)!)
    .then(({ description }) => {
      found = description;
    });
  return found!;
}

describe('the reference of a process', () => {
  it('is data that the process keeps', () => {
    expect(described(process, { order: { number: 'A-1042' } }, {})).toMatchObject({
      status: 'Sent',
      reference: 'A-1042',
    });
  });

  it('can be a number', () => {
    expect(described(process, { order: { number: 1042 } }).reference).toBe('1042');
  });

  it.each([
    ['no value', {}],
    ['null', { order: { number: null } }],
    ['an object', { order: { number: { year: 2026 } } }],
    ['an empty string', { order: { number: '' } }],
    ['a string of 257 characters', { order: { number: 'x'.repeat(257) } }],
    ['a string with a line break', { order: { number: 'A\n1' } }],
  ])('is missing after an applied event whose data contains %s', (_, data) => {
    const description = described(process, data);
    expect(description).toMatchObject({ status: 'Paid' });
    expect(description).not.toHaveProperty('reference');
  });

  it('does not exist without a declaration', () => {
    const { reference: _, ...without } = declared;
    const description = described(defineProcess(without), { order: { number: 'A-1042' } });
    expect(description).not.toHaveProperty('reference');
  });

  it('must be a name in keep', () => {
    expect(thrownBy(() => defineProcess({ ...declared, reference: 'id' }))).toMatchObject({
      message: 'process "order": reference is "id", which is not in keep',
    });
  });
});

describe('the labels of a process', () => {
  it('translate its title, the labels of its milestones, and the statuses that every process has', () => {
    const labels = { de: { Order: 'Bestellung', Open: 'Offen', Paid: 'Bezahlt' } };
    expect(defineProcess({ ...declared, labels }).labels).toEqual(labels);
  });

  it('can translate only text of the process', () => {
    const labels = { de: { Cancelled: 'Storniert' } };
    expect(thrownBy(() => defineProcess({ ...declared, labels }))).toMatchObject({
      message: expect.stringContaining('labels.de["Cancelled"] translates text'),
    });
    expect(defineProcess({ ...declared, labels, cancelOn: 'cancelled' }).labels).toEqual(labels);
  });
});
