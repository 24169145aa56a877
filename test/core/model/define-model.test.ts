import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, reject } from '../../../src/core/model/model.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const least = {
  id: 'orders',
  title: 'Orders',
  statuses: ['Open', 'Closed'],
  events: { opened: v.object({}) },
  initial: () => ({}),
  transition: () => accept({}),
  describe: () => ({ status: 'Open' }),
};
const milestone = { id: 'paid', label: 'Paid' };
const node = { id: 'Open', label: 'Open' };

const refusal = (parts: object) => thrownBy(() => defineModel({ ...least, ...parts }));

describe('defineModel', () => {
  it('sets the version to 1 and the milestones to an empty list by default', () => {
    expect(defineModel(least)).toEqual({ ...least, version: 1, milestones: [] });
  });

  it('uses the default of a member that is undefined', () => {
    const parts = { version: undefined, milestones: undefined };
    expect(defineModel({ ...least, ...parts })).toEqual({ ...least, version: 1, milestones: [] });
  });

  it('keeps the given version, milestones, and diagram', () => {
    const parts = {
      version: 3,
      milestones: [milestone, { id: 'sent', label: 'Sent', optional: true }],
      diagram: { nodes: [node], edges: [{ from: 'Open', to: 'Open', label: 'again' }] },
    };
    expect(defineModel({ ...least, ...parts })).toEqual({ ...least, ...parts });
  });

  it.each<[what: string, parts: object, message: string]>([
    ['an empty id', { id: '' }, 'model "": the id must have'],
    ['an id with capital letters', { id: 'Orders' }, 'model "Orders": the id must have'],
    ['an id of 65 characters', { id: 'x'.repeat(65) }, 'the id must have 1 to 64'],
    ['version 0', { version: 0 }, 'the version'],
    ['version 1.5', { version: 1.5 }, 'the version must be an integer of at least 1; got 1.5'],
    ['a version that is a string', { version: '1' }, 'at least 1; got "1"'],
    ['no title', { title: '' }, 'the title must not be empty'],
    ['no statuses', { statuses: [] }, 'at least one status is required'],
    ['a repeated status', { statuses: ['Open', 'Open'] }, '"Open" is declared twice'],
    ['an empty status', { statuses: ['Open', ''] }, '1 to 256 characters; "" has 0'],
    ['a status of 257 characters', { statuses: ['x'.repeat(257)] }, `"${'x'.repeat(40)}"… has 257`],
    ['a repeated milestone', { milestones: [milestone, milestone] }, '"paid" is declared twice'],
    ['a milestone without a label', { milestones: [{ id: 'paid', label: '' }] }, '1 to 256'],
    ['an object of statuses', { statuses: { open: 'Open' } }, '`statuses` must be an array'],
    ['a status that is a number', { statuses: [1] }, '`statuses` must be an array of strings'],
    ['an object of milestones', { milestones: { paid: 'Paid' } }, '`milestones` must be an array'],
    ['a milestone that is a string', { milestones: ['paid'] }, '`milestones` must be an array'],
    ['a milestone that has only an id', { milestones: [{ id: 'paid' }] }, '`id` and `label`'],
    ['no events', { events: {} }, 'at least one event type is required'],
    [
      'an event without a schema',
      { events: { opened: {} } },
      'opened is not a Standard Schema; use one from Zod',
    ],
    [
      'an undefined event schema',
      { events: { opened: undefined } },
      'opened is not a Standard Schema; use one from Zod',
    ],
    [
      'a list of event types',
      { events: ['opened'] },
      '`events` must be an object with a data schema for each event type; got an array',
    ],
    [
      'an edge to an unknown node',
      { diagram: { nodes: [node], edges: [{ from: 'Open', to: 'Gone', label: '' }] } },
      'no node for one end of the edge Open -> Gone',
    ],
    [
      'an edge from an unknown node',
      { diagram: { nodes: [node], edges: [{ from: 'Gone', to: 'Open', label: '' }] } },
      'no node for one end of the edge Gone -> Open',
    ],
  ])('rejects a model with %s', (_, parts, message) => {
    expect(refusal(parts)).toMatchObject({
      name: 'MilepostError',
      code: 'bad-model',
      message: expect.stringContaining(message) as string,
    });
  });

  it.each(['id', 'title', 'statuses', 'events', 'initial', 'transition', 'describe'])(
    'rejects a model in JavaScript whose member %s is missing or invalid',
    (name) => {
      for (const value of [undefined, null, 7])
        expect(refusal({ [name]: value })).toMatchObject({
          code: 'bad-model',
          message: expect.stringContaining(`the member \`${name}\` is missing`) as string,
        });
    },
  );

  it.each([
    ['an id of 64 characters', { id: 'x'.repeat(64) }],
    ['an id of digits and a hyphen', { id: '0-9' }],
    ['a status of 256 characters', { statuses: ['x'.repeat(256)] }],
  ])('accepts a model with %s', (_, parts) => expect(refusal(parts)).toBeUndefined());
});

describe('a decision of a model', () => {
  it('either accepts with a state or rejects with a reason', () => {
    expect(accept(7)).toEqual({ accepted: true, state: 7, effects: [] });
    expect(reject('no')).toEqual({ accepted: false, reason: 'no' });
  });
});
