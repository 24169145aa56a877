import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { commitKey, indexPartitionOf, partitionOf } from '../../src/aws/instances/instance-keys.ts';
import {
  type FireTimersDependencies,
  fireTimers,
  refireDelay,
} from '../../src/clock/fire-timers.ts';
import { ExpiringSet } from '../../src/common/expiring-set.ts';
import { checkEvent } from '../../src/core/event/event.ts';
import type { Json } from '../../src/core/json/json.ts';
import { toIso } from '../../src/core/time/timestamp.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import { CountersInMemory } from '../support/aws-in-memory/counters-in-memory.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import {
  failing,
  InstancesInMemory,
  instancesTable,
  writesStatus,
} from '../support/aws-in-memory/instances-in-memory.ts';
import type { KeptRecord } from '../support/aws-in-memory/memory-kinesis.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { commitOf } from '../support/data/commits.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { reminder } from '../support/models/reminder-model.ts';

/** The number of instances on a page of the index. */
const pageSize = 3;

let clock: ManualClock;
let instances: InstancesInMemory;
let stream: EventStreamInMemory;
let environment: FireTimersDependencies;
let place: number;

beforeEach(() => {
  clock = new ManualClock();
  instances = new InstancesInMemory(clock);
  const { client, dueTimers: index } = instances;
  const query = client.query.bind(client);
  client.query = (input) => query({ ...input, Limit: Math.min(input.Limit ?? pageSize, pageSize) });
  stream = new EventStreamInMemory();
  environment = { index, stream, clock, recentlyFired: new ExpiringSet(clock, refireDelay) };
  place = 0;
});

const fire = (time = 60_000) => fireTimers(environment, clock.now() + time);
const inSeconds = (seconds: number) => toIso(clock.now() + 1_000 * seconds);
const apply = async (...events: ReturnType<typeof placed>[]) => {
  const { store } = instances;
  const around = {
    store,
    stream: new EventStreamInMemory(),
    notifier: new NotifierInMemory(),
    clock,
  };
  return (await transition({ model: reminder, ...around }, events)).map(({ outcome }) => outcome);
};
const ask = (transaction: string, data: { start?: Record<string, string>; cancel?: string[] }) =>
  apply(placed(++place, { model: 'reminder', transaction, type: 'asked', data }));
const start = (transaction: string, timers: Record<string, string>) =>
  ask(transaction, { start: timers });
/** Applies the events that are on the stream. */
const drain = () => {
  const events = (stream.events as Json[]).map((each) => {
    const checked = checkEvent(each, clock.now());
    if (!checked.ok) throw new Error(checked.reason);
    return placed(++place, checked.event);
  });
  stream.records.length = 0;
  return apply(...events);
};
/** Returns the timer events that are on the stream. */
const onStream = () =>
  stream.events.map((each) => {
    const { transactionid, data } = each as { transactionid: string; data: { name: string } };
    return `${transactionid} ${data.name}`;
  });
const firedOf = (transaction: string) =>
  (
    JSON.parse(instances.commitsOf({ model: 'reminder', transaction }).at(-1)!.state) as {
      fired: string[];
    }
  ).fired;

describe('a due timer', () => {
  it('becomes an event of its instance, with the clock as the source', async () => {
    await start('T1', { reminder: inSeconds(10) });
    await clock.advance(10_000);
    expect(await fire()).toEqual({ fired: 1, failures: [] });
    const dueAt = inSeconds(0);
    expect(stream.events).toEqual([
      {
        specversion: '1.0',
        id: expect.stringMatching(/^timer\/reminder@[0-9a-f]+$/),
        source: 'milepost:clock',
        type: 'timer.fired',
        modelid: 'reminder',
        transactionid: 'T1',
        time: dueAt,
        data: { name: 'reminder', dueAt },
      },
    ]);
    expect(stream.records.map(({ partitionKey }) => partitionKey)).toEqual(['T1']);
    expect(await drain()).toEqual(['applied']);
    expect(firedOf('T1')).toEqual(['reminder']);
  });

  it('fires only once, and timers that are not yet due do not fire', async () => {
    await start('T1', { first: inSeconds(1), second: inSeconds(1), third: inSeconds(5) });
    expect(await fire()).toEqual({ fired: 0, failures: [] });
    await clock.advance(1_000);
    await fire();
    expect(onStream()).toEqual(['T1 first', 'T1 second']);
    await drain();
    await clock.advance(3_999);
    expect(await fire()).toEqual({ fired: 0, failures: [] });
    await clock.advance(1);
    expect(await fire()).toEqual({ fired: 1, failures: [] });
    await drain();
    expect(firedOf('T1')).toEqual(['first', 'second', 'third']);
    await clock.advance(10 * refireDelay);
    expect(await fire()).toEqual({ fired: 0, failures: [] });
  });

  it('fires before timers that are due later', async () => {
    await start('T1', { c: inSeconds(3), a: inSeconds(1), b: inSeconds(2) });
    await clock.advance(60_000);
    await fire();
    expect(onStream()).toEqual(['T1 a', 'T1 b', 'T1 c']);
    // Each event needs a separate request, because PutRecords guarantees no order within a request.
    expect(stream.kinesis.requests).toEqual([1, 1, 1]);
  });

  it('fires even among many due timers for the same instance and for other instances', async () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `timer ${i}`);
    for (let n = 0; n < 40; n++) await start(`T${'x'.repeat(n)}`, { one: inSeconds(1) });
    await start('many', Object.fromEntries(names.map((name) => [name, inSeconds(1)])));
    await clock.advance(1_000);
    expect(await fire()).toEqual({ fired: 2_040, failures: [] });
    expect(new Set(onStream()).size).toBe(2_040);
    // Events of one instance share a request if their timers are due in the same second.
    const ofMany = stream.records.filter(({ partitionKey }) => partitionKey === 'many');
    expect(ofMany.length).toBe(2_000);
    expect(stream.kinesis.requests.filter((count) => count === 500).length).toBeGreaterThan(2);
    expect(await fire()).toEqual({ fired: 0, failures: [] });
  });
});

describe('a timer that is no longer running when its event arrives', () => {
  it.each([
    ['canceled', () => ask('T1', { cancel: ['a'] }), [], ['duplicate']],
    ['restarted', () => start('T1', { a: inSeconds(100) }), ['a'], ['duplicate']],
  ])('changes nothing if the timer was %s', async (_, meanwhile, running, outcomes) => {
    await start('T1', { a: inSeconds(1) });
    await clock.advance(1_000);
    await fire();
    await meanwhile();
    const before = instances.commitsOf({ model: 'reminder', transaction: 'T1' });
    expect(await drain()).toEqual(outcomes);
    const after = instances.commitsOf({ model: 'reminder', transaction: 'T1' });
    expect(after).toEqual(before);
    expect(after.at(-1)!.timers.map(({ name }) => name)).toEqual(running);
    expect(await fire()).toEqual({ fired: 0, failures: [] });
  });

  it('does not prevent a new timer with the same name from firing when it is due', async () => {
    await start('T1', { a: inSeconds(1) });
    await clock.advance(1_000);
    await fire();
    await start('T1', { a: inSeconds(2) });
    await drain();
    await clock.advance(2_000);
    expect(await fire()).toEqual({ fired: 1, failures: [] });
    expect(await drain()).toEqual(['applied']);
    expect(firedOf('T1')).toEqual(['a']);
  });
});

describe('an instance whose timers have fired', () => {
  it('is skipped while the stream lags, and its timers fire again later', async () => {
    await start('T1', { a: inSeconds(1) });
    await clock.advance(1_000);
    await fire();
    for (let second = 1; second < 30; second++) {
      await clock.advance(1_000);
      expect(await fire()).toEqual({ fired: 0, failures: [] });
    }
    await clock.advance(2 * refireDelay);
    expect(await fire()).toEqual({ fired: 1, failures: [] });
    expect(new Set(stream.events.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await drain()).toEqual(['applied', 'duplicate']);
    expect(firedOf('T1')).toEqual(['a']);
  });

  it('receives timer events less often the longer its timers have been due', async () => {
    await start('T1', { a: inSeconds(0) });
    const firedAt: number[] = [];
    for (let second = 0; second < 24 * 60 * 60; second += 10) {
      if ((await fire()).fired > 0) firedAt.push(second);
      await clock.advance(10_000);
    }
    expect(onStream().length).toBeGreaterThan(5);
    expect(onStream().length).toBeLessThan(15);
    const pauses = firedAt.slice(1).map((second, n) => second - firedAt[n]!);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  });

  it('does not receive its timer events again if another event arrives before them', async () => {
    await start('T1', { a: inSeconds(1), b: inSeconds(1) });
    await clock.advance(1_000);
    await fire();
    await start('T1', { c: inSeconds(0) });
    await fire();
    expect(onStream()).toEqual(['T1 a', 'T1 b', 'T1 c']);
    // A new process of the clock has no record of the fired timers, but it does not repeat their events, either.
    environment = { ...environment, recentlyFired: new ExpiringSet(clock, refireDelay) };
    await clock.advance(1_000);
    expect(await fire()).toEqual({ fired: 0, failures: [] });
  });
});

describe('an instance that becomes late without an event', () => {
  const key = (transaction: string) => ({ model: 'reminder', transaction });
  /** Commits an instance that becomes late after the given number of seconds. */
  const expectIn = async (transaction: string, seconds: number, version = 1) => {
    const commit = commitOf(key(transaction), version, {
      at: inSeconds(0),
      lateAt: inSeconds(seconds),
    });
    await instances.store.commit([commit]);
    await instances.store.writeStatus([commit]);
  };
  const late = async () =>
    (await counters.counts.totals(['reminder'])).get('reminder')?.get('late') ?? 0;
  let counters: CountersInMemory;
  beforeEach(() => {
    counters = new CountersInMemory(instances, clock);
  });

  it('is counted as late from the next run of the clock onward', async () => {
    for (const [n, transaction] of ['T1', 'T2', 'T3'].entries())
      await expectIn(transaction, 10 * n + 5);
    expect([await fire(), await late()]).toEqual([{ fired: 0, failures: [] }, 0]);
    await clock.advance(15_000);
    expect([await fire(), await late()]).toEqual([{ fired: 0, failures: [] }, 2]);
    expect(stream.records).toEqual([]);
    let writes = 0;
    instances.interfere = ({ kind }) => void (kind === 'update' && writes++);
    expect([await fire(), await late(), writes]).toEqual([{ fired: 0, failures: [] }, 2, 0]);
  });

  it('is no longer counted when a commit moves or ends its deadline', async () => {
    for (const transaction of ['T1', 'T2']) await expectIn(transaction, 5);
    await clock.advance(5_000);
    await fire();
    expect(await late()).toBe(2);
    await expectIn('T1', 60, 2);
    await instances.store.writeStatus([commitOf(key('T2'), 2)]);
    expect(await late()).toBe(0);
    await clock.advance(60_000);
    await fire();
    expect(await late()).toBe(1);
  });

  it('is counted even while its timers wait for parked events', async () => {
    const commit = commitOf(key('T1'), 1, {
      at: inSeconds(0),
      lateAt: inSeconds(3),
      timers: [{ name: 'a', dueAt: inSeconds(1), run: 'r' }],
    });
    await instances.store.commit([commit]);
    await instances.store.writeStatus([commit]);
    const { event, position } = placed(++place, key('T1'));
    const parked = { event, position, reason: '', fault: true, at: inSeconds(0), letterId: '1' };
    await instances.parking.park([parked]);
    await instances.parking.recount(event);
    await clock.advance(1_000);
    await fire();
    await clock.advance(2_000);
    await fire();
    expect(await late()).toBe(1);
    expect(instances.rowOf(key('T1'))).toMatchObject({ parked: 1 });
  });

  it('is visited again if it could not be marked as late', async () => {
    await expectIn('T1', 5);
    await clock.advance(5_000);
    instances.interfere = failing(({ attributes }) => attributes.includes('late'));
    expect(await fire()).toMatchObject({ failures: [expect.stringContaining('throttled')] });
    expect(await late()).toBe(0);
    instances.interfere = () => {};
    expect(await fire()).toEqual({ fired: 0, failures: [] });
    expect(await late()).toBe(1);
  });
});

describe('an instance with parked events', () => {
  it('is checked every ten seconds until it is redriven, and its timers fire afterward', async () => {
    await start('T1', { a: inSeconds(1) });
    const { event, position } = placed(++place, { model: 'reminder', transaction: 'T1' });
    const parked = { event, position, reason: '', fault: true, at: inSeconds(0), letterId: '1' };
    await instances.parking.park([parked]);
    await instances.parking.recount(event);
    await clock.advance(1_000);
    expect(await fire()).toEqual({ fired: 0, failures: [] });
    let looks = 0;
    instances.interfere = ({ kind, sk }) => {
      if (kind === 'get' && sk === 'STATUS') looks++;
    };
    for (let second = 0; second < 60; second++) {
      await clock.advance(1_000);
      await fire();
    }
    expect(stream.records).toEqual([]);
    expect(looks).toBe(6);

    await instances.parking.remove(event, [position]);
    await instances.parking.recount(event);
    await start('T1', { b: inSeconds(100) });
    expect(await fire()).toEqual({ fired: 1, failures: [] });
    expect(onStream()).toEqual(['T1 a']);
  });
});

describe('a status row that lags behind its commits', () => {
  it('is updated by the event of a timer that only the row still contains', async () => {
    await start('T1', { a: inSeconds(1) });
    instances.interfere = failing(writesStatus);
    await ask('T1', { start: { b: inSeconds(5) }, cancel: ['a'] });
    instances.interfere = () => {};
    expect(instances.rowOf({ model: 'reminder', transaction: 'T1' })).toMatchObject({
      version: 1,
      dueAt: inSeconds(1),
    });
    await clock.advance(1_000);
    await fire();
    expect(await drain()).toEqual(['duplicate']);
    expect(instances.rowOf({ model: 'reminder', transaction: 'T1' })).toMatchObject({
      version: 2,
      dueAt: inSeconds(4),
    });
    await clock.advance(4_000);
    await fire();
    expect(await drain()).toEqual(['applied']);
    expect(firedOf('T1')).toEqual(['b']);
  });
});

describe('a failure in a run of the clock', () => {
  const names = Array.from({ length: 60 }, (_, n) => `I${n}`);
  beforeEach(async () => {
    for (const name of names) await start(name, { a: inSeconds(1) });
    await clock.advance(1_000);
  });
  const othersOf = (...failed: string[]) =>
    names.filter((name) => !failed.includes(name)).map((name) => `${name} a`);

  const bad = ['I4', 'I5'].map((transaction) => ({ model: 'reminder', transaction }));
  const isBad = ({ pk }: { pk: string }) => bad.some((each) => partitionOf(each) === pk);
  /** Makes the stored timers of the faulty instances unreadable. Returns a function that restores them. */
  const breakTimers = () => {
    const { database } = instances;
    const broken = bad.map((each) => {
      const items = database.items(instancesTable, partitionOf(each));
      return items.find(({ sk }) => sk!.S === commitKey(1))!;
    });
    for (const item of broken) database.put(instancesTable, { ...item, timers: { S: '?' } });
    return () => {
      for (const item of broken) database.put(instancesTable, item);
    };
  };
  const refuseRecording = () => {
    instances.interfere = failing(
      (access) => isBad(access) && access.attributes.includes('dueKey'),
      'not now',
    );
    return () => void (instances.interfere = () => {});
  };

  it.each<[step: string, break_: () => () => void, failure: string]>([
    ['reading the timers of', breakTimers, 'not valid JSON'],
    ['recording the visit to', refuseRecording, 'not now'],
  ])(
    'while %s some instances does not affect other instances, and is reported once',
    async (_, break_, failure) => {
      const restore = break_();
      const { failures } = await fire();
      expect(failures).toEqual([expect.stringContaining(failure)]);
      expect(onStream()).toEqual(expect.arrayContaining(othersOf('I4', 'I5')));
      restore();
      expect((await fire()).failures).toEqual([]);
      expect(onStream().toSorted()).toEqual(othersOf().toSorted());
    },
  );

  it('in one index partition does not affect the other partitions', async () => {
    const partition = indexPartitionOf('due', { model: 'reminder', transaction: 'I0' }, 8);
    instances.database.interfere = (command) => {
      if (!(command instanceof QueryCommand)) return;
      if (command.input.ExpressionAttributeValues![':partition']?.S === partition)
        throw new Error('throttled');
    };
    expect((await fire()).failures).toEqual(['throttled']);
    const inShard = (transaction: string) =>
      indexPartitionOf('due', { model: 'reminder', transaction }, 8) === partition;
    expect(onStream().toSorted()).toEqual(othersOf(...names.filter(inShard)).toSorted());
    instances.database.interfere = () => {};
    await fire();
    expect(onStream().toSorted()).toEqual(othersOf().toSorted());
  });

  it('while reading the number of index partitions is reported, and the next run fires the timers', async () => {
    instances.interfere = failing(() => true);
    expect(await fire()).toEqual({ fired: 0, failures: ['throttled'] });
    instances.interfere = () => {};
    expect(await fire()).toEqual({ fired: names.length, failures: [] });
  });

  it('does not affect the other instances on the page if the stream rejects the event of one instance', async () => {
    stream.kinesis.refuses = ({ partitionKey }) => partitionKey === 'I4';
    const { fired, failures } = await fire();
    expect(failures).toEqual([expect.stringContaining('ProvisionedThroughputExceeded')]);
    expect(fired).toBe(59);
    expect(onStream().toSorted()).toEqual(othersOf('I4').toSorted());
    // Another process of the clock repeats only the rejected event.
    environment = { ...environment, recentlyFired: new ExpiringSet(clock, refireDelay) };
    await fire();
    expect(onStream().toSorted()).toEqual(othersOf('I4').toSorted());
    stream.kinesis.refuses = () => false;
    expect(await fire()).toEqual({ fired: 1, failures: [] });
    expect(onStream().toSorted()).toEqual(othersOf().toSorted());
  });

  it('does not affect the other instances on the page if it is permanent for one instance', async () => {
    const refused: number[] = [];
    stream.kinesis.interfere = (records: readonly KeptRecord[]) => {
      if (!records.some(({ partitionKey }) => partitionKey === 'I4')) return;
      refused.push(records.length);
      throw Object.assign(new Error('no such key'), { code: 'permanent' });
    };
    expect((await fire()).failures).toEqual(['no such key']);
    expect([refused[0], refused.at(-1)]).toEqual([pageSize, 1]);
    expect(onStream().toSorted()).toEqual(othersOf('I4').toSorted());
  });

  it('while putting events on the stream causes a retry in the next run', async () => {
    stream.kinesis.failure = new Error('no room');
    expect(await fire()).toEqual({ fired: 0, failures: ['no room'] });
    stream.kinesis.failure = undefined;
    expect(await fire()).toEqual({ fired: names.length, failures: [] });
    expect(await fire()).toEqual({ fired: 0, failures: [] });
  });

  it('is not reported if the deadline passes, and the remaining timers fire in later runs', async () => {
    const { fired, failures } = await fire(0);
    expect(failures).toEqual([]);
    expect(fired).toBeGreaterThan(0);
    expect(fired).toBeLessThan(names.length);
    while ((await fire(0)).fired > 0);
    expect(onStream().toSorted()).toEqual(othersOf().toSorted());
  });
});

describe('a throttled partition', () => {
  it('delays only the timers of its own instance', async () => {
    await start('A', { t: inSeconds(10) });
    await start('B', { t: inSeconds(11) });
    await start('C', { t: inSeconds(12) });
    await clock.advance(20_000);
    instances.interfere = ({ pk }) => {
      if (pk === 'reminder#A')
        throw new ServiceError('ProvisionedThroughputExceededException', 'throttled', 400);
    };
    await fire();
    expect(onStream()).toEqual(['B t', 'C t']);
  });
});
