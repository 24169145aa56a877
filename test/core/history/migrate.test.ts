import fc from 'fast-check';
import { given } from 'milepost/testing';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { startTimer } from '../../../src/core/effects/effect.ts';
import { MilepostError } from '../../../src/core/errors.ts';
import { foldEvent } from '../../../src/core/history/fold.ts';
import { loadSnapshot } from '../../../src/core/history/migrate.ts';
import { maximumStateBytes } from '../../../src/core/history/snapshot.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, type Model, reject } from '../../../src/core/model/model.ts';
import { event } from '../../support/data/events.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const events = { added: v.object({ n: v.number() }) };

/** A model that adds up numbers. With a sum of 10 or more, its status is `High`. */
const first = defineModel({
  id: 'counter',
  title: 'Counter',
  statuses: ['Low', 'High'],
  events,
  initial: () => ({ sum: 0 }),
  transition: ({ data }, { sum }) =>
    data.n < 0
      ? reject('below zero')
      : accept({ sum: sum + data.n }, startTimer('rest', '2027-01-01T00:00:00Z')),
  describe: ({ sum }) => ({ status: sum < 10 ? 'Low' : 'High' }),
});

/** The counter with its sum in tenths, other status names, a milestone, and keys. */
const second = defineModel({
  id: 'counter',
  version: 2,
  title: 'Counter',
  statuses: ['Little', 'Much'],
  milestones: [{ id: 'much', label: 'Much' }],
  events,
  initial: () => ({ tenths: 0 }),
  transition: ({ data }, { tenths }) =>
    data.n < 0 ? reject('below zero') : accept({ tenths: tenths + 10 * data.n }),
  describe: ({ tenths }) => ({ status: tenths < 100 ? 'Little' : 'Much' }),
  keys: ({ tenths }) => ({ tenths: String(tenths) }),
  migrate(state, from) {
    if (from !== 1) throw new Error(`there was no version ${from}`);
    return { tenths: 10 * (state as { sum: number }).sum };
  },
});

const plain = (model: object) => model as Model;
const broken = (parts: object): Model => ({ ...plain(second), ...parts });
const left = (parts: object = {}) => ({
  modelVersion: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  state: '{"sum":12}',
  description: { status: 'High' },
  timers: [{ name: 'rest', dueAt: '2027-01-01T00:00:00.000Z', run: 'r1' }],
  ...parts,
});

describe('loadSnapshot', () => {
  it('returns a state of the current version unchanged, without calling migrate', () => {
    const own = left({ modelVersion: 2, state: '{"tenths":1}', description: { status: 'Little' } });
    const model = broken({
      migrate: () => {
        throw new Error('must not be called');
      },
    });
    expect(loadSnapshot(model, own)).toMatchObject({
      state: { tenths: 1 },
      json: '{"tenths":1}',
      description: { status: 'Little' },
    });
  });

  it('migrates the state and the description from another version and keeps the timers', () => {
    expect(loadSnapshot(plain(second), left())).toEqual({
      state: { tenths: 120 },
      json: '{"tenths":120}',
      description: { status: 'Much', keys: ['tenths:120'] },
      timers: left().timers,
      isStarted: true,
    });
  });

  it('does not start an instance that has not started, even if its description contains a reached milestone', () => {
    const milestones = [{ id: 'begun', label: 'Begun' }];
    const describe = () => ({
      status: 'Little',
      milestones: [{ id: 'begun', at: '2026-01-01T00:00:00.000Z' }],
    });
    const moved = loadSnapshot(broken({ milestones, describe }), left({ startedAt: null }));
    expect(moved).toMatchObject({ state: { tenths: 120 }, isStarted: false });
    expect(moved.description).toEqual({ status: 'Little', keys: ['tenths:120'] });
  });

  it("passes the version of the state to migrate, even if that version is later than the model's version", () => {
    const asked: number[] = [];
    const model = broken({
      migrate(state: unknown, from: number) {
        asked.push(from);
        return { tenths: 0, was: state };
      },
    });
    loadSnapshot(model, left());
    loadSnapshot(model, left({ modelVersion: 3 }));
    expect(asked).toEqual([1, 3]);
  });

  it('returns the state unchanged if the model has no migrate function', () => {
    const model = broken({ migrate: undefined });
    expect(loadSnapshot(model, left())).toMatchObject({
      state: { sum: 12 },
      description: { status: 'High' },
    });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('a bug');
      },
      'a bug',
    ],
    ['returns nothing', () => undefined, 'a state must be JSON, but state is undefined'],
    [
      'returns a value that is not JSON',
      () => ({ tenths: new Date() }),
      'a state must be JSON, but',
    ],
    ['is asynchronous', async () => ({ tenths: 1 }), 'migrate must not be asynchronous'],
    [
      'returns a state that is too large',
      () => ({ tenths: 1, filler: 'x'.repeat(maximumStateBytes) }),
      'would grow to',
    ],
    ['returns a state that cannot be described', () => ({}), 'the key tenths'],
  ])('throws a model fault if migrate %s', (_, migrate, said) => {
    const model = broken({
      migrate,
      keys: ({ tenths }: { tenths: unknown }) => ({ tenths: tenths === undefined ? '' : '1' }),
    });
    const fault = thrownBy(() => loadSnapshot(model, left()));
    expect(fault).toBeInstanceOf(MilepostError);
    expect(fault).toMatchObject({ code: 'model-fault', cause: expect.any(Error) });
    expect((fault as Error).message).toContain(
      'model counter failed to migrate a state of version 1 to version 2: ',
    );
    expect((fault as Error).message).toContain(said);
  });

  it.each<[what: string, thrown: unknown, said: string]>([
    ['an error', new RangeError('sum is 12'), 'RangeError'],
    ['another value', 'sum is 12', 'a value that is not an Error'],
  ])('does not quote %s from migrate if the model has sensitive fields', (_, thrown, said) => {
    const model = broken({
      sensitive: { state: ['sum'] },
      migrate() {
        throw thrown;
      },
    });
    const fault = thrownBy(() => loadSnapshot(model, left())) as Error;
    expect(fault.message).toContain(said);
    expect(fault.message).not.toContain('12');
  });

  it('states what is wrong with the keys from a model even if the model has sensitive fields', () => {
    const model = broken({
      sensitive: { state: ['sum'] },
      keys: () => ({ customer: '' }),
    });
    const fault = thrownBy(() => loadSnapshot(model, left())) as Error;
    expect(fault.message).toContain('each value of the key customer must be a string of 1 to 256');
  });
});

describe('folding across versions of a model', () => {
  it('keeps the migrated state when it rejects an event', () => {
    const start = loadSnapshot(plain(second), left());
    const { outcome, after } = foldEvent(plain(second), start, event({ data: { n: -1 } }));
    expect(outcome).toBe('rejected');
    expect(after).toEqual(start);
  });

  it('results in the same sum regardless of when the version changes', () => {
    const amounts = fc.array(fc.integer({ min: -2, max: 9 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(amounts, fc.nat(12), (numbers, place) => {
        const steps = numbers.map((n, index) => ({
          model: plain(index < place ? first : second),
          event: event({ id: `e${index}`, data: { n } }),
        }));
        let kept: Parameters<typeof loadSnapshot>[1] | undefined;
        for (const { model, event } of steps) {
          const { after } = foldEvent(model, kept && loadSnapshot(model, kept), event);
          const { json: state, description, timers, isStarted } = after;
          const startedAt = isStarted ? '2026-01-01T00:00:00.000Z' : null;
          kept = { modelVersion: model.version, startedAt, state, description, timers };
        }
        const sum = numbers.filter((n) => n >= 0).reduce((a, b) => a + b, 0);
        const isMoved = place < numbers.length;
        expect(JSON.parse(kept!.state)).toEqual(isMoved ? { tenths: 10 * sum } : { sum });
        // Timers of the first version keep running.
        const started = numbers.slice(0, place).some((n) => n >= 0);
        expect(kept!.timers.map(({ name }) => name)).toEqual(started ? ['rest'] : []);
      }),
    );
  });
});

describe('given(model).state', () => {
  const old = { sum: 12 };

  it('applies the next event to the stored state, without changing the given object', () => {
    given(second)
      .state(old, { version: 1 })
      .when({ type: 'added', data: { n: 1 } })
      .then(({ state, status, outcome }) => {
        expect({ state, status, outcome }).toEqual({
          state: { tenths: 130 },
          status: 'Much',
          outcome: 'applied',
        });
      });
    expect(old).toEqual({ sum: 12 });
  });

  it('uses a state of the current version unchanged', () => {
    given(second)
      .state({ tenths: 5 }, { version: 2 })
      .when({ type: 'added', data: { n: -1 } })
      .then(({ state, reason }) => {
        expect({ state, reason }).toEqual({ state: { tenths: 5 }, reason: 'below zero' });
      });
  });

  it('throws an error if migrate fails or if events are also given', () => {
    expect(() => given(second).state(old, { version: 7 })).toThrow('there was no version 7');
    const added = { type: 'added', data: { n: 1 } };
    expect(() => given(second, added).state(old, { version: 1 })).toThrow('events or a state');
  });
});
