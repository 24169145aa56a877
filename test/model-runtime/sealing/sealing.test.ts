import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { accept, reject } from '../../../src/core/model/model.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { allDeadLetters } from '../../support/aws-in-memory/stores-in-memory.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import {
  type History,
  keyCacheTtl,
  moved,
  names,
  path,
  ResidentTracker,
  resident,
  type Shown,
} from './resident-tracker.ts';

let tracker: ResidentTracker;
beforeEach(() => {
  tracker = new ResidentTracker();
});

describe('sensitive fields', () => {
  it('are never stored in plain text but are readable for the model and for authorized callers', async () => {
    expect(await tracker.put(moved('Wilma', 'Rome'), moved('Fred', 'Oslo'))).toBe(0);
    expect(await tracker.put(moved('Betty', 'Bonn'))).toBe(0);
    for (const name of names) expect(tracker.stored).not.toContain(name);
    expect(tracker.stored).toContain('Oslo');
    expect((await tracker.get<Shown>(path)).state).toEqual({
      name: 'Betty',
      city: 'Bonn',
      before: [
        { name: null, city: '' },
        { name: 'Wilma', city: 'Rome' },
        { name: 'Fred', city: 'Oslo' },
      ],
    });
    const { entries } = await tracker.get<History>(`${path}/history`);
    expect(entries.map(({ event }) => event.data)).toEqual([
      { name: 'Wilma', city: 'Rome' },
      { name: 'Fred', city: 'Oslo' },
      { name: 'Betty', city: 'Bonn' },
    ]);
    const sent = tracker.stream.events as { data: unknown }[];
    expect(sent.map(({ data }) => data)).toEqual(names.map((who) => ({ who })));
  });

  it('are unsealed for migrate and then sealed again, and are null after they are erased', async () => {
    await tracker.put(moved('Wilma', 'Rome'));
    const seen: unknown[] = [];
    tracker.model = {
      ...resident,
      version: 2,
      sensitive: { ...resident.sensitive, state: ['title', 'name', 'before.*.name'] },
      migrate(state) {
        const { name } = state as { name: string | null };
        seen.push(name);
        return { ...(state as object), title: `The honourable ${name}` };
      },
    };
    await tracker.put({ type: 'moved', data: { city: 'no name' } });
    const { modelVersion, state } = await tracker.get<Shown & { modelVersion: number }>(path);
    expect({ modelVersion, state }).toMatchObject({
      modelVersion: 2,
      state: { title: 'The honourable Wilma', name: 'Wilma' },
    });
    expect(tracker.stored).not.toContain('Wilma');
    await tracker.forget();
    tracker.model = { ...tracker.model, version: 3 };
    await tracker.put({ type: 'moved', data: { city: 'no name' } });
    expect(seen).toEqual(['Wilma', null]);
  });

  it('are shown in past states and explanations until they are erased', async () => {
    await tracker.put(moved('Wilma', 'Rome'));
    await tracker.put(moved('Fred', 'Rome'));
    const at = toIso(tracker.clock.now());
    const past = async (query: string) => (await tracker.get<Shown>(`${path}?${query}`)).state;
    expect(await past('version=1')).toMatchObject({ name: 'Wilma' });
    expect(await past(`at=${at}`)).toMatchObject({ name: 'Fred' });
    const name = async () =>
      (await tracker.get<{ fields: unknown[] }>(`${path}/explain?field=/name`)).fields;
    expect(await name()).toMatchObject([{ value: 'Fred', setBy: { version: 2 } }]);
    await tracker.forget();
    expect(await past(`at=${at}`)).toMatchObject({ name: null, city: 'Rome' });
    // Both names are now null, so version 2 no longer changes the field.
    expect(await name()).toMatchObject([{ value: null, setBy: { version: 1 } }]);
  });

  it('are neither logged nor stored in plain text with parked events, dead letters, or reasons', async () => {
    await tracker.put(moved('Wilma', 'Rome'), { type: 'broken', data: { name: 'Fred' } });
    await tracker.put(moved('Betty', 'Bonn'), { type: 'moved', data: { name: 5, city: 'Bonn' } });
    expect(await tracker.get<Shown>(path)).toMatchObject({ parked: 3 });
    for (const name of names) {
      expect(tracker.stored).not.toContain(name);
      expect(JSON.stringify(tracker.said)).not.toContain(name);
    }
    const { deadLetters } = await tracker.get<{ deadLetters: { raw: string; reason: string }[] }>(
      '/api/dead-letters',
    );
    const raws = deadLetters.map(({ raw }) => Buffer.from(raw, 'base64').toString());
    expect(raws.join('')).toContain('Fred');
    expect(deadLetters.map(({ reason }) => reason).join('')).toContain(
      'failed on broken e1: Error',
    );

    // After the model is fixed, the parked events are applied with their original data.
    tracker.model = { ...resident, transition: (_, state) => accept(state) };
    await tracker.put({ type: 'milepost.redrive', source: 'milepost:api', data: {} });
    const { entries } = await tracker.get<History>(`${path}/history`);
    expect(entries.map(({ event }) => event.data)).toContainEqual({ name: 'Fred' });
  });

  it('are sealed in a parked event whose record begins with a byte order mark', async () => {
    tracker.start = '\ufeff';
    expect(await tracker.put({ type: 'broken', data: { name: 'Fred' } })).toBe(0);
    expect(await tracker.get<Shown>(path)).toMatchObject({ parked: 1 });
    expect(tracker.stored).not.toContain('Fred');
    const { deadLetters } = await tracker.get<{ deadLetters: { raw: string }[] }>(
      '/api/dead-letters',
    );
    expect(deadLetters.map(({ raw }) => Buffer.from(raw, 'base64').toString())).toEqual([
      expect.stringContaining('Fred'),
    ]);
  });

  it('are sealed in a parked event together with its extension attributes, until they are erased', async () => {
    const subject = 'fred@example.org';
    await tracker.put({ type: 'broken', subject, data: { name: 'Fred' } });
    expect(tracker.stored).not.toContain(subject);
    const letter = async () => {
      const { deadLetters } = await tracker.get<{ deadLetters: { raw: string }[] }>(
        '/api/dead-letters',
      );
      return JSON.parse(Buffer.from(deadLetters[0]!.raw, 'base64').toString()) as unknown;
    };
    expect(await letter()).toMatchObject({ type: 'broken', subject, data: { name: 'Fred' } });
    await tracker.forget();
    await tracker.clock.advance(keyCacheTtl);
    expect(await letter()).toMatchObject({ type: 'broken', subject: null, data: null });
  });

  it('are not unsealed in the dead letter of an instance without a data key, even if a value looks sealed', async () => {
    tracker.models.register(registryEntry('resident'));
    tracker.model = { ...resident, sensitive: undefined };
    tracker.start = '\ufeff';
    const data = { name: 'Fred', like: { $sealed: 'no' } };
    expect(await tracker.put({ type: 'broken', data })).toBe(0);
    const [stored] = await allDeadLetters(tracker.deadLetters);
    const { deadLetters } = await tracker.get<{ deadLetters: { raw: string }[] }>(
      '/api/dead-letters',
    );
    expect(deadLetters.map(({ raw }) => raw)).toEqual([
      Buffer.from(stored!.raw).toString('base64'),
    ]);
  });

  it('remain sealed in a list of dead letters if KMS rejects the data key as damaged', async () => {
    await tracker.put({ type: 'broken', data: { name: 'Fred' } }, { type: 'other', data: {} });
    await tracker.clock.advance(keyCacheTtl);
    tracker.kms.interfere = () => {
      throw new ServiceError('InvalidCiphertextException', 'damaged', 400);
    };
    const { deadLetters } = await tracker.get<{ deadLetters: { raw: string }[] }>(
      '/api/dead-letters',
    );
    expect(deadLetters.map(({ raw }) => Buffer.from(raw, 'base64').toString())).toEqual(
      Array(2).fill(expect.stringContaining('"data":{"$sealed":')),
    );
  });

  it('are permanently null after they are erased, and other data remains', async () => {
    await tracker.put(moved('Wilma', 'Rome'), moved('Fred', 'Oslo'));
    expect(await tracker.forget()).toBe(200);
    expect(await tracker.forget()).toBe(200);
    await tracker.put(moved('Betty', 'Bonn'));
    expect((await tracker.get<Shown>(path)).state).toEqual({
      name: null,
      city: 'Bonn',
      before: [
        { name: null, city: '' },
        { name: null, city: 'Rome' },
        { name: null, city: 'Oslo' },
      ],
    });
    const { entries } = await tracker.get<History>(`${path}/history`);
    expect(entries.map(({ event }) => event.data)).toEqual([
      { name: null, city: 'Rome' },
      { name: null, city: 'Oslo' },
      { name: null, city: 'Bonn' },
    ]);
    expect(tracker.stored).not.toContain('Betty');
  });

  describe('of rejected events', () => {
    /** Rejected events with personal data outside the sensitive paths of the model, and the cause of each rejection. */
    const rejected: [why: string, event: { type: string; data: object }][] = [
      ['data that the schema rejects', moved('Wilma', 5 as never)],
      ['a misspelled field', { type: 'moved', data: { nmae: 'Fred', city: null } }],
      ['an undeclared type', { type: 'renamed', data: { to: ['Betty'] } }],
      ['data that is not an object', { type: 'moved', data: ['Wilma'] }],
      ['an event that the model rejects', moved('Fred', 'Nowhere')],
    ];

    it.each(rejected)('are never stored in plain text: %s', async (_, { type, data }) => {
      tracker.model = {
        ...resident,
        transition: (event, state, context) =>
          (event.data as { city: string }).city === 'Nowhere'
            ? reject('there is no such city')
            : resident.transition(event, state, context),
      };
      await tracker.put({ type, data });
      for (const name of names) expect(tracker.stored).not.toContain(name);
      const { entries } = await tracker.get<History>(`${path}/history`);
      expect(entries).toMatchObject([{ outcome: 'rejected', event: { data } }]);
      await tracker.forget();
      const { entries: after } = await tracker.get<History>(`${path}/history`);
      expect(after).toMatchObject([{ outcome: 'rejected', event: { data: null } }]);
    });

    it('are not in the reply to the instance in replyto', async () => {
      await tracker.put({ type: 'renamed', data: { to: 'Betty' }, replyto: 'desk/D1' });
      expect(tracker.stream.events).toMatchObject([{ type: 'outcome.recorded' }]);
      expect(JSON.stringify(tracker.stream.events)).not.toContain('Betty');
    });
  });

  it('are not in the reason if a schema rejects them', async () => {
    await tracker.put({ type: 'moved', data: { name: 'Fred', city: { name: 'Wilma' } } });
    const { entries } = await tracker.get<{ entries: { reason: string }[] }>(`${path}/history`);
    expect(entries.map(({ reason }) => reason)).toEqual(['data: city is not valid']);
  });

  it('are not in the reason if they are keys in the data', async () => {
    tracker.model = {
      ...resident,
      events: {
        ...resident.events,
        moved: v.strictObject({ by: v.record(v.string(), v.number()) }),
      },
    };
    await tracker.put({ type: 'moved', data: { by: { Fred: 'x' }, Wilma: 1 } });
    const { entries } = await tracker.get<{ entries: { reason: string }[] }>(`${path}/history`);
    expect(entries.map(({ reason }) => reason)).toEqual([
      'data: by is not valid; the value is not valid',
    ]);
  });

  it('cause their events to be returned to the stream while the data keys are unavailable', async () => {
    tracker.kms.interfere = () => {
      throw new Error('KMS is not there');
    };
    expect(await tracker.put(moved('Wilma', 'Rome'))).toBe(1);
    expect(await tracker.put({ type: 'broken', data: { name: 'Wilma' } })).toBe(1);
    expect(tracker.stored).not.toContain('Wilma');
    tracker.kms.interfere = () => {};
    expect(await tracker.put(moved('Wilma', 'Rome'))).toBe(0);
  });
});
