import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import { commitKey } from '../../src/aws/instances/instance-keys.ts';
import type { TrackedEvent } from '../../src/core/event/event.ts';
import type { ModelFault } from '../../src/core/model/model-fault.ts';
import type { PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import {
  failing,
  InstancesInMemory,
  instancesTable,
  writesCommit,
  writesStatus,
} from '../support/aws-in-memory/instances-in-memory.ts';
import type { ItemAccess } from '../support/aws-in-memory/item-access.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { counter } from '../support/models/counter-model.ts';
import { skipSleep } from '../support/skip-sleep.ts';

const key = { model: 'counter', transaction: 'T1' };
let instances: InstancesInMemory;
let store: DynamoDbInstanceStore;
let stream: EventStreamInMemory;
let notifier: NotifierInMemory;
let now: number;
const clock = { now: () => now, sleep: skipSleep };
const apply = (...events: PositionedEvent[]) =>
  transition({ model: counter, store, stream, notifier, clock }, events);
const outcomes = async (...events: PositionedEvent[]) =>
  (await apply(...events)).map(({ outcome }) => outcome);
interface Sum {
  readonly sum: number;
}
const stateOf = (transaction = 'T1') =>
  JSON.parse(instances.commitsOf({ model: 'counter', transaction }).at(-1)?.state ?? 'null') as Sum;

/** Starts with an empty table. */
function clear() {
  instances = new InstancesInMemory(clock);
  store = instances.store;
}

beforeEach(() => {
  clear();
  stream = new EventStreamInMemory();
  notifier = new NotifierInMemory();
  now = Date.parse('2026-01-01T00:00:00Z');
});

describe('transition', () => {
  it('creates an instance with its first event', async () => {
    expect(await outcomes(placed(1))).toEqual(['applied']);
    expect(instances.commitsOf(key)).toMatchObject([
      { version: 1, at: '2026-01-01T00:00:00.000Z', state: expect.stringContaining('"sum":1') },
    ]);
    expect(instances.rowOf(key)).toMatchObject({ version: 1, status: 'Low' });
  });

  it('folds the events of a batch into one commit that contains the state after each event', async () => {
    await apply(
      placed(1, { data: { n: 4 } }),
      placed(2, { data: { n: -1 } }),
      placed(3, { data: { n: 8 } }),
    );
    const [commit] = instances.commitsOf(key);
    expect(instances.commitsOf(key)).toHaveLength(1);
    expect(
      commit?.entries.map(({ outcome, reason, status, state }) => ({
        outcome,
        reason,
        status,
        sum: (JSON.parse(state) as { sum: number }).sum,
      })),
    ).toEqual([
      { outcome: 'applied', reason: null, status: 'Low', sum: 4 },
      { outcome: 'rejected', reason: 'below zero', status: 'Low', sum: 4 },
      { outcome: 'applied', reason: null, status: 'High', sum: 12 },
    ]);
  });

  it('reports the fault of an instance whose latest commit is damaged, so that its events are parked', async () => {
    await apply(placed(1, { type: 'filled', data: { bytes: 20_000 } }));
    await instances.client.updateItem({
      TableName: instancesTable,
      Key: { pk: { S: 'counter#T1' }, sk: { S: commitKey(1) } },
      UpdateExpression: 'SET packed = :damaged',
      ExpressionAttributeValues: { ':damaged': { B: Buffer.from('damaged') } },
    });
    store = new DynamoDbInstanceStore(instances.client, instancesTable, clock);
    expect(await apply(placed(2), placed(3, { transaction: 'T2' }))).toEqual([
      {
        outcome: 'failed',
        fault: 'instance',
        reason: expect.stringContaining('stored data is damaged'),
      },
      { outcome: 'applied' },
    ]);
  });

  it('applies a whole batch even if each event needs a separate commit', async () => {
    const note = 'x'.repeat(25_000);
    const batch = Array.from({ length: 150 }, (_, i) => placed(i + 1, { data: { n: 1, note } }));
    expect(new Set(await outcomes(...batch))).toEqual(new Set(['applied']));
    expect(instances.commitsOf(key)).toHaveLength(150);
    expect(stateOf().sum).toBe(150);
  });

  it('takes the times of the start and the status from imported events', async () => {
    const day = (n: number) => `2025-12-${n}T00:00:00.000Z`;
    await apply(placed(1, { time: day(12) }));
    await apply(placed(2, { time: day(11) }));
    await apply(placed(3, { time: day(13), data: { n: 20 } }));
    expect(
      instances.commitsOf(key).map(({ startedAt, statusSince }) => [startedAt, statusSince]),
    ).toEqual([
      [day(12), day(12)],
      [day(11), day(12)],
      [day(11), day(13)],
    ]);
    expect(instances.rowOf(key)).toMatchObject({ startedAt: day(11), statusSince: day(13) });
    expect(instances.commitsOf(key).every(({ at }) => at.startsWith('2026-01-01'))).toBe(true);
  });

  it('never gives a commit an earlier time than its predecessor', async () => {
    await apply(placed(1));
    now -= 60_000;
    await apply(placed(2));
    expect(instances.commitsOf(key)[1]?.at).toBe('2026-01-01T00:00:00.000Z');
  });

  it('returns outcomes in the order of the events, regardless of their instances', async () => {
    const result = await apply(
      placed(1, { transaction: 'A', data: { n: -1 } }),
      placed(2, { transaction: 'B' }),
      placed(3, { transaction: 'A' }),
    );
    expect(result).toEqual([
      { outcome: 'rejected', reason: 'below zero' },
      { outcome: 'applied' },
      { outcome: 'applied' },
    ]);
  });
});

describe('transition with duplicates', () => {
  it('reports a duplicate as possibly parked once a queue change has begun', async () => {
    const applied = placed(1);
    await apply(applied);
    expect(await apply(applied)).toEqual([{ outcome: 'duplicate' }]);
    await instances.parking.begin(key, applied.position);
    expect(await apply(applied)).toEqual([{ outcome: 'duplicate', parked: true }]);
  });

  it('recognizes a resent event in the same batch and in later batches', async () => {
    expect(await outcomes(placed(1, { id: 'a' }), placed(2, { id: 'a' }))).toEqual([
      'applied',
      'duplicate',
    ]);
    expect(await outcomes(placed(3, { id: 'a' }), placed(4, { id: 'b' }))).toEqual([
      'duplicate',
      'applied',
    ]);
    expect(stateOf().sum).toBe(2);
  });

  it('recognizes a resent event that was rejected', async () => {
    await apply(placed(1, { id: 'a', data: { n: -1 } }));
    expect(await outcomes(placed(2, { id: 'a', data: { n: 1 } }))).toEqual(['duplicate']);
    expect(instances.commitsOf(key)).toHaveLength(1);
  });

  it('distinguishes events from different sources', async () => {
    expect(
      await outcomes(placed(1, { id: 'a', source: 'x' }), placed(2, { id: 'a', source: 'y' })),
    ).toEqual(['applied', 'applied']);
  });

  it('recognizes every one of 1,000 resent events', async () => {
    const all = Array.from({ length: 1000 }, (_, i) => placed(i, { id: `m${i}` }));
    for (let i = 0; i < all.length; i += 50) await apply(...all.slice(i, i + 50));
    const again = all.map(({ event }, i) => placed(2000 + i, event));
    expect(new Set(await outcomes(...again))).toEqual(new Set(['duplicate']));
    expect(stateOf().sum).toBe(1000);
  });

  it('recognizes a redelivered record after thousands of other events', async () => {
    const all = Array.from({ length: 4000 }, (_, i) => placed(i, { id: `m${i}` }));
    for (let i = 0; i < all.length; i += 200) await apply(...all.slice(i, i + 200));
    expect(await outcomes(...all.slice(0, 20))).toEqual(Array(20).fill('duplicate'));
    expect(stateOf().sum).toBe(4000);
  });

  it('applies a late record once, even if thousands of later records were applied before it', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => placed(i + 100, { id: `m${i}` }));
    for (let i = 0; i < many.length; i += 200) await apply(...many.slice(i, i + 200));
    expect(
      await outcomes(placed(50, { id: 'late' }), placed(7, { id: 'other' }, 'shard-1')),
    ).toEqual(['applied', 'applied']);
    expect(
      await outcomes(placed(50, { id: 'late' }), placed(7, { id: 'other' }, 'shard-1')),
    ).toEqual(['duplicate', 'duplicate']);
  });

  it('runs no query for new events of an instance that it has cached', async () => {
    await apply(placed(0));
    const queries: ItemAccess[] = [];
    instances.interfere = (access) => void (access.kind === 'query' && queries.push(access));
    for (let i = 1; i < 60; i++) await apply(placed(i));
    expect(queries).toEqual([]);
  });
});

describe('transition with repeated deliveries and concurrent writers', () => {
  it('reaches the same state regardless of how batches are split and redelivered', async () => {
    const deliveries = fc.array(fc.tuple(fc.nat(29), fc.integer({ min: 1, max: 12 })), {
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(deliveries, async (again) => {
        clear();
        const all = Array.from({ length: 30 }, (_, i) =>
          placed(i, { id: `p${i}`, transaction: `T${i % 3}`, data: { n: (i % 5) - 1 } }),
        );
        // Each delivery continues further and repeats some earlier events.
        let reached = 0;
        for (const [back, ahead] of [...again, [0, 30] as const]) {
          const from = Math.max(0, reached - back);
          reached = Math.min(all.length, reached + ahead);
          await apply(...all.slice(from, reached));
        }
        const expected = [0, 1, 2].map((t) =>
          all
            .filter((_, i) => i % 3 === t)
            .reduce((sum, e) => sum + Math.max(0, (e.event.data as { n: number }).n), 0),
        );
        expect([0, 1, 2].map((t) => stateOf(`T${t}`).sum)).toEqual(expected);
        for (const t of [0, 1, 2]) {
          const ids = instances
            .commitsOf({ model: 'counter', transaction: `T${t}` })
            .flatMap((c) => c.entries.map((e) => e.event.id));
          expect(ids).toEqual(all.filter((_, i) => i % 3 === t).map((e) => e.event.id));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('folds the events again if another writer commits first', async () => {
    await apply(placed(1));
    let raced = false;
    instances.interfere = (access) => {
      if (!writesCommit(access) || raced) return;
      raced = true;
      const [first] = instances.commitsOf(key);
      instances.putCommits({ ...first!, version: 2, state: '{"sum":100,"log":[]}' });
    };
    expect(await outcomes(placed(2))).toEqual(['applied']);
    expect(instances.commitsOf(key).map((c) => c.version)).toEqual([1, 2, 3]);
    expect(stateOf().sum).toBe(101);
  });

  it('recognizes the commit of a previous attempt that failed after the commit', async () => {
    instances.interfere = failing(writesStatus);
    expect(await outcomes(placed(1, { id: 'a' }))).toEqual(['failed']);
    instances.interfere = () => {};
    expect(instances.rowOf(key)).toBeUndefined();
    expect(await outcomes(placed(1, { id: 'a' }))).toEqual(['duplicate']);
    expect(instances.rowOf(key)?.version).toBe(1);
    expect(stateOf().sum).toBe(1);
  });

  it('reports a service failure if other writers always commit first', async () => {
    await apply(placed(1));
    instances.interfere = (access) => {
      if (!writesCommit(access)) return;
      const last = instances.commitsOf(key).at(-1)!;
      instances.putCommits({ ...last, version: last.version + 1 });
    };
    expect(await apply(placed(2))).toMatchObject([{ outcome: 'failed', fault: 'service' }]);
  });
});

describe('transition with failures', () => {
  it('fails only the failing event and the later events of its instance', async () => {
    const result = await apply(
      placed(1, { transaction: 'A' }),
      placed(2, { transaction: 'A', type: 'failed' }),
      placed(3, { transaction: 'B' }),
      placed(4, { transaction: 'A' }),
    );
    expect(result).toEqual([
      { outcome: 'applied' },
      { outcome: 'failed', fault: 'model', reason: expect.stringContaining('told to fail') },
      { outcome: 'applied' },
      { outcome: 'failed', fault: 'model', reason: expect.stringContaining('told to fail') },
    ]);
    expect(stateOf('A').sum).toBe(1);
  });

  it("reports the position in the model's code even with a long reason, and logs the failure", async () => {
    const model = {
      ...counter,
      describe: () => {
        throw new Error('x'.repeat(100_000));
      },
    };
    const first = placed(1);
    const logged: unknown[] = [];
    const faults = {
      placeOf: () => 'models/counter/model.ts:12:17',
      log: ({ reason }: ModelFault, { id }: TrackedEvent) => logged.push({ reason, id }),
    };
    const [outcome, behind] = await transition({ model, store, stream, notifier, clock, faults }, [
      first,
      placed(2),
    ]);
    const reason = expect.stringMatching(
      /^model counter failed on added e\d+, in describe: x+… \(models\/counter\/model\.ts:12:17\)$/,
    );
    expect(outcome).toEqual({ outcome: 'failed', fault: 'model', reason });
    expect(behind).toEqual(outcome);
    expect(logged).toEqual([{ reason: `in describe: ${'x'.repeat(1000)}…`, id: first.event.id }]);
  });

  it('truncates a very long reason', async () => {
    const model = {
      ...counter,
      transition: () => {
        throw new Error('x'.repeat(100_000));
      },
    };
    const [outcome] = await transition({ model, store, stream, notifier, clock }, [placed(1)]);
    expect(outcome).toMatchObject({ outcome: 'failed', fault: 'model' });
    expect((outcome as { reason: string }).reason.length).toBeLessThan(1100);
  });

  const bad = { model: 'counter', transaction: 'A' };
  const isQuery = ({ kind }: ItemAccess) => kind === 'query';
  it.each<[what: string, prepare: () => Promise<unknown>, isFailing: typeof isQuery]>([
    [
      'the optimistic read',
      async () => {
        // A new process must query an instance whose latest commit is far ahead of its status row.
        for (let n = 0; n < 8; n++) await apply(placed(n, bad));
        store = instances.newStore();
      },
      isQuery,
    ],
    ['the consistent read', () => instances.parking.begin(bad, placed(1).position), isQuery],
    ['the commit', () => Promise.resolve(), writesCommit],
  ])(
    'does not affect other instances if %s of one instance fails',
    async (_, prepare, isFailing) => {
      await prepare();
      const before = instances.commitsOf(bad);
      instances.interfere = failing(
        (access) => access.pk === 'counter#A' && isFailing(access),
        'throttled',
      );
      expect(await apply(placed(11, bad), placed(12, { transaction: 'B' }))).toEqual([
        { outcome: 'failed', fault: 'service', reason: 'throttled' },
        { outcome: 'applied' },
      ]);
      expect(instances.commitsOf(bad)).toEqual(before);
    },
  );
});

describe('transition with a throttled partition', () => {
  const instancesAtoF = ['A', 'B', 'C', 'D', 'E', 'F'];

  it.each([
    ['few instances, which are read one by one', ['A', 'B', 'A'], 'throttled'],
    ['many instances, which are read together', [...instancesAtoF, 'A'], 'try again later'],
  ])(
    'fails only the events of the throttled instance in a batch of %s',
    async (_, batch, reason) => {
      await apply(placed(1, { transaction: 'A' }), placed(2, { transaction: 'B' }));
      store = instances.newStore();
      instances.interfere = ({ pk }) => {
        if (pk === 'counter#A')
          throw new ServiceError('ProvisionedThroughputExceededException', 'throttled', 400);
      };
      const events = batch.map((transaction, n) => placed(n + 3, { transaction }));
      const throttled = {
        outcome: 'failed',
        fault: 'service',
        reason: expect.stringContaining(reason) as string,
      };
      const applied = { outcome: 'applied' };
      expect(await apply(...events)).toEqual(
        batch.map((transaction) => (transaction === 'A' ? throttled : applied)),
      );
    },
  );
});

describe('the status row of an instance', () => {
  it('is written only if a field that lists filter or sort on changes', async () => {
    const written: number[] = [];
    await apply(placed(1));
    instances.interfere = (access) =>
      void (writesStatus(access) && written.push(instances.commitsOf(key).length));
    await apply(placed(2));
    await apply(placed(3, { data: { n: 20 } }));
    await apply(placed(4));
    expect(written).toEqual([3]);
    expect(instances.rowOf(key)).toMatchObject({ version: 3, status: 'High' });
  });

  it('is written when its event is redelivered after a failed write', async () => {
    instances.interfere = failing(writesStatus);
    const first = placed(1);
    await apply(first);
    instances.interfere = () => {};
    expect(await outcomes(first)).toEqual(['duplicate']);
    expect(instances.rowOf(key)).toMatchObject({ version: 1 });
  });
});

describe('transition with large events and states', () => {
  it('rejects an event that would make the state too large, and continues', async () => {
    const result = await apply(
      placed(1),
      placed(2, { type: 'filled', data: { bytes: 310_000 } }),
      placed(3),
    );
    expect(result).toMatchObject([
      { outcome: 'applied' },
      { outcome: 'rejected', reason: expect.stringContaining('the state would grow to') },
      { outcome: 'applied' },
    ]);
    expect(stateOf().sum).toBe(2);
  });

  it('splits a batch into several commits if the batch does not fit into one commit', async () => {
    const note = 'x'.repeat(10_000);
    const many = Array.from({ length: 5 }, (_, i) => placed(i + 1, { data: { n: 1, note } }));
    expect(new Set(await outcomes(...many))).toEqual(new Set(['applied']));
    expect(instances.commitsOf(key).map((c) => c.version)).toEqual([1, 2, 3]);
    expect(stateOf().sum).toBe(5);
  });

  it('folds many events into one commit if they change a large state only a little', async () => {
    await apply(placed(1, { type: 'filled', data: { bytes: 100_000 } }));
    await apply(...Array.from({ length: 15 }, (_, i) => placed(i + 2)));
    expect(instances.commitsOf(key)).toHaveLength(2);
    const sums = instances
      .commitsOf(key)[1]!
      .entries.map(({ state }) => (JSON.parse(state) as Sum).sum);
    expect(sums).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
  });

  it('returns the remaining events to the stream when its time runs out, and applies them when they are redelivered', async () => {
    const note = 'x'.repeat(25_000);
    const many = Array.from({ length: 5 }, (_, i) => placed(i + 1, { data: { n: 1, note } }));
    instances.interfere = (access) => {
      if (writesCommit(access)) now += 1_000;
    };
    const environment = { model: counter, store, stream, notifier, clock };
    const first = await transition(environment, many, { until: now + 1_500 });
    expect(first.map(({ outcome }) => outcome)).toEqual([
      'applied',
      'applied',
      'failed',
      'failed',
      'failed',
    ]);
    expect(first[2]).toMatchObject({ fault: 'service', reason: expect.stringContaining('time') });
    expect(instances.rowOf(key)).toMatchObject({ version: 2 });
    expect(await outcomes(...many)).toEqual([
      'duplicate',
      'duplicate',
      'applied',
      'applied',
      'applied',
    ]);
  });
});
