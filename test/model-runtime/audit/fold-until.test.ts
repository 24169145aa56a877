import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { timerEvent } from '../../../src/core/effects/timer.ts';
import type { TrackedEvent } from '../../../src/core/event/event.ts';
import { accept, type Model, reject } from '../../../src/core/model/model.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { foldUntil } from '../../../src/model-runtime/audit/fold-until.ts';
import { ModelFunction } from '../../../src/model-runtime/remote/model-function.ts';
import { InstancesInMemory } from '../../support/aws-in-memory/instances-in-memory.ts';
import { placed } from '../../support/data/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { counter } from '../../support/models/counter-model.ts';
import { ModelAsFunction } from '../../support/models/model-as-function.ts';
import { ModelLambdas } from '../../support/models/model-lambdas.ts';
import { reminder } from '../../support/models/reminder-model.ts';

const start = Date.UTC(2025, 11, 1);
const hour = (n: number) => toIso(start + n * 3_600_000);

let clock: ManualClock;
let instances: InstancesInMemory;
let place: number;
beforeEach(() => {
  clock = new ManualClock();
  instances = new InstancesInMemory(clock);
  place = 0;
});

/** Applies events in one commit. */
async function apply(model: Model, ...events: Partial<TrackedEvent>[]): Promise<void> {
  const records = events.map((more) => placed(++place, more));
  await new ModelLambdas(model, instances, clock).transition('', {
    op: 'transition',
    events: records,
  });
}

/** An event of the counter model that happened at the given hour. */
const added = (id: string, n: number, at: number) => ({ id, data: { n }, time: hour(at) });

async function folded(at: number, model: Model | ModelFunction = counter) {
  const request = { op: 'fold-until', transaction: 'T1', eventTime: hour(at) } as const;
  const answer = await foldUntil({ model, store: instances.store, clock }, request);
  if ('failure' in answer) throw new Error(answer.failure);
  return (
    answer.instance && { ...answer.instance, state: JSON.parse(answer.instance.state) as object }
  );
}

describe('an instance as of an event time', () => {
  it('contains the events that had happened by that time, in the order in which they were recorded', async () => {
    await apply(counter, added('third', 3, 3));
    await apply(counter, added('first', 1, 1), added('second', 2, 2));
    expect(await folded(2)).toMatchObject({
      ...{ version: 2, startedAt: hour(1), statusSince: hour(1) },
      state: { sum: 3, log: ['first', 'second'] },
    });
    expect(await folded(3)).toMatchObject({
      ...{ version: 2, startedAt: hour(1), statusSince: hour(3) },
      state: { sum: 6, log: ['third', 'first', 'second'] },
    });
  });

  it('does not exist before its first event happened', async () => {
    await apply(counter, added('a', 1, 2));
    expect(await folded(1)).toBeNull();
    instances = new InstancesInMemory(clock);
    expect(await folded(1)).toBeNull();
  });

  it('does not contain events that were rejected when they arrived', async () => {
    await apply(counter, added('late', 5, 4), added('refused', -1, 2), added('a', 1, 3));
    expect(await folded(3)).toMatchObject({ state: { sum: 1, log: ['a'] } });
  });

  it('rejects events that depend on a later event', async () => {
    const account = {
      ...counter,
      transition({ data }, { sum }) {
        const { n } = data as { n: number };
        return sum + n < 0 ? reject('overdrawn') : accept({ sum: sum + n, log: [] });
      },
    } as Model;
    await apply(account, added('a', 1, 0), added('deposit', 9, 2), added('withdrawal', -4, 1));
    expect(await folded(1, account)).toMatchObject({ startedAt: hour(0), state: { sum: 1 } });
    expect(await folded(2, account)).toMatchObject({ state: { sum: 6 } });
  });

  it('contains an event whose time is in the future only from its record time onward', async () => {
    await apply(counter, { id: 'a', time: '2030-01-01T00:00:00.000Z' });
    const at = (clock.now() - start) / 3_600_000;
    expect(await folded(at)).toMatchObject({ state: { log: ['a'] } });
    expect(await folded(at - 1)).toBeNull();
  });

  it('equals the current instance if the time is now', async () => {
    const events = fc.array(
      fc.record({ n: fc.integer({ min: -1, max: 9 }), at: fc.integer({ min: -99, max: 9999 }) }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(events, async (some) => {
        instances = new InstancesInMemory(clock);
        await apply(counter, added('first', 1, 0));
        for (const [index, { n, at }] of some.entries())
          await apply(counter, added(`e${index}`, n, at));
        const { state, startedAt, statusSince, description } = instances
          .commitsOf({ model: 'counter', transaction: 'T1' })
          .at(-1)!;
        const current = { startedAt, statusSince, description, state: JSON.parse(state) as object };
        const now = await folded((clock.now() - start) / 3_600_000);
        expect(now).toMatchObject(current);
      }),
      { numRuns: 50 },
    );
  });

  it('has fired the timers that were due by that time', async () => {
    const model = { ...reminder, id: 'counter' } as Model;
    const data = { start: { remind: hour(5) } };
    await apply(model, { type: 'asked', data, time: hour(1) });
    const key = { model: 'counter', transaction: 'T1' };
    const [timer] = instances.commitsOf(key)[0]!.timers;
    await apply(model, { ...(timerEvent(key, timer!) as unknown as TrackedEvent), ...key });
    expect(await folded(4, model)).toMatchObject({
      state: { fired: [] },
      timers: [{ name: 'remind', dueAt: hour(5) }],
    });
    expect(await folded(5, model)).toMatchObject({ state: { fired: ['remind'] }, timers: [] });
  });

  it('is the same if the model is in another language', async () => {
    const remote = new ModelFunction(new ModelAsFunction(counter), {
      id: 'counter',
      canSeal: false,
      clock,
    });
    await apply(counter, added('c', 3, 3));
    await apply(counter, added('a', 1, 1), added('b', 2, 2));
    for (const at of [1, 2, 3]) expect(await folded(at, remote)).toEqual(await folded(at));
  });

  it('cannot be computed if the model fails without the later events', async () => {
    await apply(counter, added('b', 9, 2), added('a', 1, 1));
    const dependent = {
      ...counter,
      transition(event, state, context) {
        if (context.first && event.id === 'a') throw new Error('no account');
        return counter.transition(event, state, context);
      },
    } as Model;
    await expect(folded(1, dependent)).rejects.toThrow(
      'the events up to this time cannot be folded without the later ones; use `at` to get a recorded state (model counter failed on added a: no account)',
    );
  });

  it('cannot be returned if its history is too long to fold in time', async () => {
    for (let n = 0; n < 60; n++) await apply(counter, added(`e${n}`, 1, n));
    const request = { op: 'fold-until', transaction: 'T1', eventTime: hour(99) } as const;
    const environment = { model: counter, store: instances.store, clock };
    expect(await foldUntil(environment, request, clock.now())).toEqual({
      failure: expect.stringContaining('takes longer than the timeout'),
    });
  });

  it('ignores rebuilds', async () => {
    const refusing = { ...counter, transition: () => reject('no') } as Model;
    await apply(counter, added('a', 1, 1));
    const event = { type: 'milepost.rebuild', source: 'milepost:api', time: hour(2), data: {} };
    await new ModelLambdas(refusing, instances, clock).transition('', {
      op: 'rebuild',
      events: [placed(++place, event)],
    });
    expect(instances.commitsOf({ model: 'counter', transaction: 'T1' })).toHaveLength(2);
    expect(await folded(3)).toMatchObject({ version: 1, state: { sum: 1 } });
  });
});
