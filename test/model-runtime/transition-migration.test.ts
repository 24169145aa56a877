import { beforeEach, describe, expect, it } from 'vitest';
import type { Model } from '../../src/core/model/model.ts';
import type { PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { counter } from '../support/models/counter-model.ts';

const key = { model: 'counter', transaction: 'T1' };
const clock = new ManualClock();
let instances: InstancesInMemory;
let notifier: NotifierInMemory;
beforeEach(() => {
  instances = new InstancesInMemory(clock);
  notifier = new NotifierInMemory();
});

const applyWith = (model: Model, ...events: PositionedEvent[]) =>
  transition(
    { model, store: instances.store, stream: new EventStreamInMemory(), notifier, clock },
    events,
  );
const apply = (...events: PositionedEvent[]) => applyWith(counter, ...events);

describe('transition with another version of the model', () => {
  /** The counter with its sum in tenths and the status `Tenths`. */
  const next = {
    ...counter,
    version: 2,
    statuses: ['Low', 'High', 'Tenths'],
    describe: () => ({ status: 'Tenths' }),
    migrate: (state: unknown, from: number) => {
      if (from !== 1) throw new Error(`there was no version ${from}`);
      const { sum, log } = state as { sum: number; log: string[] };
      return { sum: sum * 10, log };
    },
  };
  const applyNext = (...events: PositionedEvent[]) => applyWith(next, ...events);
  const history = () =>
    instances.commitsOf(key).flatMap(({ modelVersion, entries }) =>
      entries.map(({ outcome, status, state }) => {
        const { sum } = JSON.parse(state) as { sum: number };
        return [modelVersion, outcome, status, sum];
      }),
    );

  it('migrates an instance at its next event and records the new state in the history', async () => {
    await apply(placed(1), placed(2));
    await applyNext(placed(3), placed(4));
    await applyNext(placed(5));
    expect(history()).toEqual([
      [1, 'applied', 'Low', 1],
      [1, 'applied', 'Low', 2],
      [2, 'applied', 'Tenths', 21],
      [2, 'applied', 'Tenths', 22],
      [2, 'applied', 'Tenths', 23],
    ]);
    expect(instances.rowOf(key)).toMatchObject({ modelVersion: 2, status: 'Tenths' });
    expect(notifier.notifications.map(({ detail }) => [detail.from, detail.status])).toEqual([
      [null, 'Low'],
      ['Low', 'Tenths'],
    ]);
  });

  it('migrates an instance even if the event is rejected', async () => {
    await apply(placed(1));
    await applyNext(placed(2, { data: { n: -1 } }));
    expect(history()).toEqual([
      [1, 'applied', 'Low', 1],
      [2, 'rejected', 'Tenths', 10],
    ]);
  });

  it('does not migrate an instance for a duplicate', async () => {
    await apply(placed(1, { id: 'a' }));
    expect(await applyNext(placed(2, { id: 'a' }))).toEqual([{ outcome: 'duplicate' }]);
    expect(history()).toEqual([[1, 'applied', 'Low', 1]]);
  });

  it('fails only the event of the instance for which migrate fails, and applies the event once migrate succeeds', async () => {
    await apply(placed(1));
    const failing = { ...next, version: 3, migrate: () => Promise.resolve({}) };
    const outcomes = await applyWith(failing, placed(2), placed(3, { transaction: 'T2' }));
    expect(outcomes).toEqual([
      {
        outcome: 'failed',
        fault: 'model',
        reason:
          'model counter failed to migrate a state of version 1 to version 3: migrate must not be asynchronous; it returned a promise',
      },
      { outcome: 'applied' },
    ]);
    await applyNext(placed(2));
    expect(history().at(-1)).toEqual([2, 'applied', 'Tenths', 11]);
  });

  it('continues with an older version of the model after a rollback', async () => {
    await apply(placed(1));
    await applyNext(placed(2));
    await apply(placed(3));
    expect(history().at(-1)).toEqual([1, 'applied', 'High', 12]);
  });

  it('reports the event of a stale timer as a duplicate even if migrate fails', async () => {
    await apply(placed(1));
    const over = placed(2, { id: 'timer/gone@x', source: 'milepost:clock', type: 'timer.fired' });
    const failing = { ...next, migrate: () => undefined };
    expect(await applyWith(failing, over)).toEqual([{ outcome: 'duplicate' }]);
  });
});
