import fc from 'fast-check';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Effect, emit, notify, startTimer } from '../../src/core/effects/effect.ts';
import { timerEvent, timerFired } from '../../src/core/effects/timer.ts';
import type { TrackedEvent } from '../../src/core/event/event.ts';
import { defineModel } from '../../src/core/model/define-model.ts';
import { accept, type Model, reject } from '../../src/core/model/model.ts';
import { CompletedTails } from '../../src/model-runtime/completed-tails.ts';
import type { PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import type { InstanceStore } from '../../src/stores/instance-store.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import {
  failing,
  InstancesInMemory,
  writesStatus,
} from '../support/aws-in-memory/instances-in-memory.ts';
import type { KeptRecord } from '../support/aws-in-memory/memory-kinesis.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A model that returns the effects in its events. It rejects or fails on events of other types. */
const asked = defineModel({
  id: 'counter',
  title: 'Does what it is asked',
  statuses: ['New', 'Busy'],
  events: {
    added: v.object({
      effects: v.optional(v.array(v.custom<Effect>(() => true)), []),
      filler: v.optional(v.string()),
    }),
    refused: v.unknown(),
    failed: v.unknown(),
    'timer.fired': timerFired,
  },
  initial: () => ({ count: 0 }),
  transition({ type, data }, { count }) {
    if (type === 'refused') return reject('no');
    if (type === 'failed') throw new Error('told to fail');
    return accept({ count: count + 1 }, ...(type === 'added' ? data.effects : []));
  },
  describe: ({ count }) => ({ status: count === 0 ? 'New' : 'Busy' }),
}) as unknown as Model;

const key = { model: 'counter', transaction: 'T1' };
const asker = { model: 'asker', transaction: 'A1' };
const telling = (transaction: string, more: object = {}) =>
  emit({ model: 'other', transaction, type: 'told', ...more });
/** Returns an event that makes the model return the given effects. */
const having = (place: number, effects: readonly Effect[], more: Partial<TrackedEvent> = {}) =>
  placed(place, { id: `e${place}`, data: { effects: effects as never }, ...more });

let instances: InstancesInMemory;
let stream: EventStreamInMemory;
let notifier: NotifierInMemory;
const clock = new ManualClock();
const applyTo = (where: InstanceStore, ...events: readonly PositionedEvent[]) =>
  transition({ model: asked, store: where, stream, notifier, clock }, events);
const apply = (...events: readonly PositionedEvent[]) => applyTo(instances.store, ...events);
const outcomes = async (...events: readonly PositionedEvent[]) =>
  (await apply(...events)).map(({ outcome }) => outcome);

interface SentEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly modelid: string;
  readonly transactionid: string;
  readonly data: { readonly outcome?: string };
}
const sent = () => stream.events as SentEvent[];
const ids = () => sent().map(({ id }) => id);
const idsTo = (receiver: string) =>
  sent().flatMap(({ id, transactionid }) => (transactionid === receiver ? id : []));
const notificationIds = () => notifier.notifications.map(({ detail }) => detail['id']);
/** Returns the ids of the events that were put on the stream since the last call. */
const newIds = () => {
  const now = ids();
  stream.records.length = 0;
  return now;
};

beforeEach(() => {
  instances = new InstancesInMemory(clock);
  stream = new EventStreamInMemory();
  notifier = new NotifierInMemory();
});

describe('the tail of a commit', () => {
  it('is completed after the commit and before success is reported', async () => {
    const steps: string[] = [];
    const slowly = async (what: string) => {
      steps.push(what);
      await clock.settle();
      steps.push(`${what}: done`);
    };
    instances.interfere = ({ kind, sk }) => void steps.push(`${kind} ${sk}`);
    stream.kinesis.interfere = () => slowly('put records');
    notifier.stream.kinesis.interfere = () => slowly('put notifications');
    expect(await outcomes(having(1, [telling('T2')]))).toEqual(['applied']);
    steps.push('reported');
    const tail = steps.slice(2, -1);
    expect(steps).toEqual(['query ', 'put COMMIT#0000000001', ...tail, 'reported']);
    expect(tail.toSorted()).toEqual([
      // The process reads whether the status is in use, and records it because the status is new.
      expect.stringMatching(/^get IN-USE#/u),
      expect.stringMatching(/^put IN-USE#/u),
      'put STATUS',
      'put notifications',
      'put notifications: done',
      'put records',
      'put records: done',
      // The process reads the number of index partitions once a minute.
      'query ',
    ]);
  });

  it('puts each event on the stream with the transaction id of its receiver as the partition key', async () => {
    await apply(having(1, [telling('T2'), telling('é🚲'.repeat(85))]));
    expect(stream.records.map(({ partitionKey }) => partitionKey)).toEqual([
      'T2',
      'é🚲'.repeat(85),
    ]);
    expect(sent()[0]).toMatchObject({ modelid: 'other', transactionid: 'T2', type: 'told' });
  });

  it('keeps the order of events from one instance to another when the stream rejects a record', async () => {
    let isRefused = true;
    stream.kinesis.refuses = ({ data }) => {
      const { id, source } = JSON.parse(String(data)) as SentEvent;
      const isNow = isRefused && source === 'milepost:counter/T1' && id === '1.0.0';
      if (isNow) isRefused = false;
      return isNow;
    };
    await apply(
      having(1, [telling('T2'), telling('T2')]),
      having(2, [telling('T2')], { transaction: 'T9' }),
    );
    // The next event of the same sender waits for the rejected event. The event of the other sender does not.
    expect(sent().map(({ source, id }) => `${source} ${id}`)).toEqual([
      'milepost:counter/T9 1.0.0',
      'milepost:counter/T1 1.0.0',
      'milepost:counter/T1 1.0.1',
    ]);
  });

  it('sends nothing if there are no effects, or if an event is rejected or fails', async () => {
    const result = await outcomes(
      having(1, []),
      having(2, [telling('T2')], { type: 'refused' }),
      having(3, [telling('T2')], { type: 'failed' }),
    );
    expect(result).toEqual(['applied', 'rejected', 'failed']);
    expect(stream.records).toEqual([]);
  });

  it('derives the ids of outgoing events from their places in the commit', async () => {
    await apply(
      having(1, [telling('T2')]),
      having(2, [], { replyTo: asker, type: 'refused' }),
      having(3, [telling('T2'), notify('Told'), telling('T3')], { replyTo: asker }),
    );
    expect(instances.commitsOf(key)).toHaveLength(1);
    expect(idsTo('T2')).toEqual(['1.0.0', '1.2.0']);
    expect(idsTo('T3')).toEqual(['1.2.2']);
    expect(idsTo('A1')).toEqual(['reply/1.1', 'reply/1.2']);
  });

  it('is completed for every commit of a batch, in order', async () => {
    const filler = 'x'.repeat(20_000);
    const events = [1, 2, 3].map((place) =>
      placed(place, { data: { effects: [telling('T2')] as never, filler } }),
    );
    await apply(...events);
    expect(instances.commitsOf(key)).toHaveLength(3);
    expect(ids()).toEqual(['1.0.0', '2.0.0', '3.0.0']);
  });
});

describe('a failure in the tail of a commit', () => {
  it('returns events to the stream if their effects cannot be sent, and the next delivery sends the same effects', async () => {
    const events = [having(1, [telling('T2'), telling('T3')]), having(2, [], { replyTo: asker })];
    const partly: KeptRecord[] = [];
    stream.kinesis.interfere = (records) => {
      partly.push(records[0]!);
      throw new Error('throttled');
    };
    expect(await apply(...events)).toEqual(
      events.map(() => ({ outcome: 'failed', fault: 'service', reason: 'throttled' })),
    );
    expect(instances.commitsOf(key)).toHaveLength(1);
    stream.kinesis.interfere = () => {};
    expect(await outcomes(...events)).toEqual(['duplicate', 'duplicate']);
    expect(instances.commitsOf(key)).toHaveLength(1);
    expect(ids()).toEqual(['1.0.0', '1.0.1', 'reply/1.1']);
    expect(stream.records[0]).toEqual(partly[0]);
  });

  it('returns to the stream only the events of instances whose records the stream rejected', async () => {
    stream.kinesis.refuses = ({ partitionKey }) => partitionKey === 'hot';
    const to = (place: number, receiver: string) =>
      having(place, [telling(receiver)], { transaction: `T${place}` });
    expect(await outcomes(to(1, 'hot'), to(2, 'cold'))).toEqual(['failed', 'applied']);
    expect(sent()).toMatchObject([{ transactionid: 'cold' }]);
  });

  it('returns to the stream only the events of instances whose notifications the stream rejected', async () => {
    notifier.stream.kinesis.refuses = ({ partitionKey }) => partitionKey === 'hot';
    const of = (place: number, transaction: string) => having(place, [], { transaction });
    expect(await outcomes(of(1, 'hot'), of(2, 'cold'))).toEqual(['failed', 'applied']);
    expect(notificationIds()).toEqual(['counter/cold/1.0']);
  });

  it('does not affect instances that send nothing', async () => {
    stream.kinesis.failure = new Error('throttled');
    const others = having(2, [], { transaction: 'T9' });
    expect(await outcomes(having(1, [telling('T2')]), others)).toEqual(['failed', 'applied']);
  });

  it('returns events to the stream if notifications cannot be published or the status row cannot be written', async () => {
    const event = having(1, [telling('T2')]);
    notifier.stream.kinesis.failure = new Error('no bus');
    expect(await apply(event)).toMatchObject([{ fault: 'service', reason: 'no bus' }]);
    expect(newIds()).toEqual(['1.0.0']);
    notifier.stream.kinesis.failure = undefined;
    instances.interfere = failing(writesStatus, 'no table');
    expect(await apply(event)).toMatchObject([{ fault: 'service', reason: 'no table' }]);
    expect(newIds()).toEqual(['1.0.0']);
    instances.interfere = () => {};
    expect(await outcomes(event)).toEqual(['duplicate']);
    expect(newIds()).toEqual(['1.0.0']);
    expect(new Set(notificationIds())).toEqual(new Set(['counter/T1/1.0']));
  });

  it('does not cause a redelivery to the same process to repeat the parts of the tail that succeeded', async () => {
    const completedTails = new CompletedTails();
    const deliver = async () => {
      const { store } = instances;
      const dependencies = { model: asked, store, stream, notifier, clock, completedTails };
      const answers = await transition(dependencies, [having(1, [telling('a'), notify('Told')])]);
      return answers.map(({ outcome }) => outcome);
    };
    instances.interfere = failing(writesStatus);
    for (let delivery = 1; delivery <= 3; delivery++) expect(await deliver()).toEqual(['failed']);
    expect(ids()).toEqual(['1.0.0']);
    expect(new Set(notificationIds()).size).toBe(notificationIds().length);
    instances.interfere = () => {};
    expect(await deliver()).toEqual(['duplicate']);
    expect(ids()).toEqual(['1.0.0']);
    expect(instances.rowOf(key)).toMatchObject({ version: 1 });
  });

  it('does not prevent notifications if only the write of the status row fails', async () => {
    instances.interfere = failing(writesStatus);
    await apply(having(1, []));
    expect(notifier.notifications).toHaveLength(1);
  });
});

describe('the repeated tail after a redelivery', () => {
  const old = having(1, [telling('T2')]);
  const others = [2, 3, 4].map((place) => having(place, [telling('T2')], { replyTo: asker }));

  it('is only the tail of the commit that contains the redelivered event, even if the commit is old', async () => {
    for (const each of [old, ...others]) await apply(each);
    newIds();
    expect(await outcomes(old)).toEqual(['duplicate']);
    expect(newIds()).toEqual(['1.0.0']);
    expect(await outcomes(others[1]!)).toEqual(['duplicate']);
    expect(newIds()).toEqual(['3.0.0', 'reply/3.0']);
    expect(await outcomes(old, having(5, [telling('T2')]))).toEqual(['duplicate', 'applied']);
    expect(newIds()).toEqual(['1.0.0', '5.0.0']);
  });

  it('is the tail of the entire commit, performed once, even if only some of its events are redelivered', async () => {
    await apply(old, ...others);
    const all = newIds();
    await apply(others[1]!, others[2]!);
    expect(newIds()).toEqual(all);
  });

  it('sends the same bytes as before, although the commit was read from storage', async () => {
    const numbers = { n: [0.1 + 0.2, -0, 1e21], 2: 'two', 1: 'one', text: '\ud800 "é" \u0000' };
    const first = having(
      1,
      [
        telling('T2', { data: numbers, replyTo: true }),
        telling('T3', { data: 'x'.repeat(100_000), replyTo: undefined }),
        notify('Told', numbers),
      ],
      { replyTo: asker },
    );
    await applyTo(instances.newStore(), first, having(2, [telling('T4')]));
    const put = [...stream.records];
    const told = [...notifier.notifications];
    expect(put).toHaveLength(4);
    await applyTo(instances.newStore(), having(3, []));
    stream.records.length = notifier.stream.records.length = 0;
    expect(await applyTo(instances.newStore(), first)).toEqual([{ outcome: 'duplicate' }]);
    expect(stream.records).toEqual(put.slice(0, 3));
    expect(notifier.notifications).toEqual(told);
  });
});

describe('replies to the instance in replyTo', () => {
  const asking = (place: number, more: Partial<TrackedEvent> = {}) =>
    having(place, [telling('T2')], { replyTo: asker, ...more });
  const replies = () => sent().filter(({ type }) => type === 'outcome.recorded');

  it('report that an event is applied or rejected, with the status after it', async () => {
    await apply(asking(1, { type: 'refused' }), asking(2));
    expect(replies()).toMatchObject([
      {
        modelid: 'asker',
        transactionid: 'A1',
        data: { id: 'e1', outcome: 'rejected', reason: 'no', status: 'New' },
      },
      { data: { id: 'e2', outcome: 'applied', reason: null, status: 'Busy' } },
    ]);
  });

  it('report a resent event as a duplicate, without repeating its effects', async () => {
    await apply(asking(1));
    newIds();
    const again = placed(2, asking(1).event);
    expect(await outcomes(again)).toEqual(['duplicate']);
    expect(sent()).toMatchObject([{ data: { id: 'e1', outcome: 'duplicate', status: 'Busy' } }]);
    const [id] = newIds();
    // A redelivered record results in the same reply, even after other events.
    await apply(asking(3, { replyTo: undefined }));
    newIds();
    expect(await outcomes(again)).toEqual(['duplicate']);
    expect(newIds()).toEqual([id]);
  });

  it('are sent for each event that repeats an earlier event of its batch', async () => {
    const again = [2, 3].map((place) => placed(place, asking(1).event));
    expect(await outcomes(asking(1), ...again)).toEqual(['applied', 'duplicate', 'duplicate']);
    expect(replies().map(({ data }) => data.outcome)).toEqual([
      'applied',
      'duplicate',
      'duplicate',
    ]);
    expect(new Set(ids()).size).toBe(4);
  });

  it('go to the instance in the replyTo of the resent event', async () => {
    await apply(asking(1));
    newIds();
    const other = { model: 'other', transaction: 'X' };
    await apply(placed(2, { ...asking(1).event, replyTo: other }));
    expect(sent()).toMatchObject([{ modelid: 'other', transactionid: 'X' }]);
    newIds();
    await apply(placed(3, { ...asking(1).event, replyTo: undefined }));
    expect(newIds()).toEqual([]);
  });

  it('are not sent again if an instance repeats its outgoing event', async () => {
    const emitting = { model: 'sender', transaction: 'S1' };
    const emitted = asking(1, { source: 'milepost:sender/S1', replyTo: emitting });
    await apply(emitted);
    expect(replies()).toMatchObject([{ modelid: 'sender', data: { outcome: 'applied' } }]);
    newIds();
    expect(await outcomes(placed(2, emitted.event))).toEqual(['duplicate']);
    expect(newIds()).toEqual([]);
  });

  it('are deferred if the first copy of the event fails and the instance has no status yet', async () => {
    const first = asking(1, { type: 'failed' });
    const result = await apply(first, placed(2, first.event));
    expect(result).toMatchObject([
      { outcome: 'failed', fault: 'model' },
      { outcome: 'failed', fault: 'service' },
    ]);
    expect(sent()).toEqual([]);
  });

  it('are deferred if the events wait for a parked event', async () => {
    const first = asking(1);
    const { event, position } = placed(0, { type: 'failed' });
    const letterId = 'letter';
    await instances.parking.begin(key, position);
    await instances.parking.park([
      { event, position, reason: 'broken', fault: true, at: event.time, letterId },
    ]);
    expect(await outcomes(first, placed(2, first.event))).toEqual(['behind', 'behind']);
    expect(sent()).toEqual([]);
  });
});

describe('events of stale timers', () => {
  const due = '2026-01-01T00:00:30.000Z';
  const fired = (place: number) => {
    const [timer] = instances.commitsOf(key).at(-1)!.timers;
    const { id, source, type, data, time } = timerEvent(key, timer!) as unknown as TrackedEvent;
    return placed(place, { id, source, type, data, time });
  };

  it('are duplicates and cause no commit', async () => {
    await apply(having(1, [startTimer('t', due)]));
    const first = fired(2);
    await apply(having(3, [startTimer('t', due)]));
    expect(await outcomes(first)).toEqual(['duplicate']);
    expect(instances.commitsOf(key)).toHaveLength(2);
    expect(instances.commitsOf(key).at(-1)!.timers).toHaveLength(1);
    const second = fired(4);
    expect(await outcomes(second, placed(5, second.event))).toEqual(['applied', 'duplicate']);
    expect(instances.commitsOf(key)).toHaveLength(3);
    expect(await outcomes(placed(6, second.event))).toEqual(['duplicate']);
    expect(instances.commitsOf(key)).toHaveLength(3);
  });

  it('are duplicates at any position in a batch', async () => {
    await apply(having(1, [startTimer('t', due)]));
    const over = fired(2);
    const stop = having(3, [{ kind: 'cancel-timer', name: 't' }]);
    expect(await outcomes(stop, over, having(4, []))).toEqual(['applied', 'duplicate', 'applied']);
    expect(
      instances
        .commitsOf(key)
        .at(-1)!
        .entries.map(({ event: { id } }) => id),
    ).toEqual(['e3', 'e4']);
    expect(await outcomes(placed(5, over.event), having(6, [], { type: 'failed' }))).toEqual([
      'duplicate',
      'failed',
    ]);
  });

  it('update a status row that still contains the due time of the timer', async () => {
    instances.interfere = failing(
      (access) => writesStatus(access) && instances.commitsOf(key).length === 2,
    );
    await apply(having(1, [startTimer('t', due)]));
    const over = fired(2);
    await apply(having(3, [{ kind: 'cancel-timer', name: 't' }]));
    instances.interfere = () => {};
    expect(instances.rowOf(key)?.dueAt).toBe(due);
    await apply(over);
    expect(instances.rowOf(key)?.dueAt).toBeNull();
  });

  it('do not start an instance', async () => {
    const never = { ...having(1, []).event, source: 'milepost:clock', type: 'timer.fired' };
    expect(await outcomes(placed(1, { ...never, id: 'timer/t@0' }))).toEqual(['duplicate']);
    expect(instances.commitsOf(key)).toEqual([]);
    expect(instances.rowOf(key)).toBeUndefined();
  });
});

describe('the effects of random batches with random failures', () => {
  const transactions = ['T1', 'T2', 'T3'];
  const targets = fc.constantFrom(...transactions, 'X');
  const event = fc.record({
    transaction: fc.constantFrom(...transactions),
    effects: fc.array(
      fc.oneof(
        targets.map((target) => telling(target)),
        fc.constant(notify('Told')),
      ),
      { maxLength: 3 },
    ),
    type: fc.constantFrom('added', 'added', 'refused'),
    asks: fc.boolean(),
  });
  const delivery = fc.record({
    back: fc.nat(6),
    ahead: fc.integer({ min: 1, max: 5 }),
    fails: fc.constantFrom(undefined, 'stream', 'bus', 'row'),
  });

  it('are sent exactly as in the history, each with its own stable id', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 20 }),
        fc.array(delivery, { maxLength: 12 }),
        async (drawn, deliveries) => {
          instances = new InstancesInMemory(clock);
          stream = new EventStreamInMemory();
          notifier = new NotifierInMemory();
          const all = drawn.map(({ transaction, effects, type, asks }, place) =>
            having(place, effects, { transaction, type, ...(asks ? { replyTo: asker } : {}) }),
          );
          // Each delivery continues after the last successful delivery or repeats part of it.
          let done = 0;
          for (const { back, ahead, fails } of [...deliveries, last]) {
            const reached = Math.min(all.length, done + ahead);
            const fault = new Error('throttled');
            stream.kinesis.failure = fails === 'stream' ? fault : undefined;
            notifier.stream.kinesis.failure = fails === 'bus' ? fault : undefined;
            instances.interfere = fails === 'row' ? failing(writesStatus) : () => {};
            const result = await apply(...all.slice(Math.max(0, done - back), reached));
            if (result.every(({ outcome }) => outcome !== 'failed')) done = reached;
          }
          const put = Map.groupBy(sent(), ({ source, id }) => `${source} ${id}`);
          for (const same of put.values()) expect(new Set(same.map(nameless)).size).toBe(1);
          const expected = drawn.flatMap(({ transaction, effects, type, asks }, place) => [
            ...(type === 'added'
              ? effects.flatMap((each) =>
                  each.kind === 'emit' ? `${transaction} tells ${each.transaction}` : [],
                )
              : []),
            ...(asks ? [`${transaction} replies to e${place}`] : []),
          ]);
          const found = [...put.values()].map(([one]) => {
            const { source, type, transactionid, data } = one!;
            const from = source.slice('milepost:counter/'.length);
            return type === 'told'
              ? `${from} tells ${transactionid}`
              : `${from} replies to ${(data as { id?: string }).id}`;
          });
          expect(found.toSorted()).toEqual(expected.toSorted());
        },
      ),
      { numRuns: 150 },
    );
  });

  const last = { back: 0, ahead: 20, fails: undefined };
  const nameless = (each: SentEvent) => JSON.stringify(each);

  it('are sent from one instance to another in history order', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(sizes, async (batches) => {
        instances = new InstancesInMemory(clock);
        stream = new EventStreamInMemory();
        const all = Array.from({ length: 20 }, (_, place) =>
          having(place, [telling('X', { data: place * 2 }), telling('X', { data: place * 2 + 1 })]),
        );
        let at = 0;
        for (const size of [...batches, 20]) await apply(...all.slice(at, (at += size)));
        expect(sent().map(({ data }) => data)).toEqual(Array.from({ length: 40 }, (_, i) => i));
      }),
      { numRuns: 30 },
    );
  });
});
