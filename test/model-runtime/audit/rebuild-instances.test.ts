import { beforeEach, describe, expect, it } from 'vitest';
import { userRecords } from '../../../src/aws/stream/user-records.ts';
import { accept, type Model, reject } from '../../../src/core/model/model.ts';
import { rebuildEvent } from '../../../src/core/replay/rebuild.ts';
import { statusRow } from '../../../src/core/status/status-row.ts';
import { dispatch } from '../../../src/dispatcher/dispatch.ts';
import { FailureTracker } from '../../../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../../../src/dispatcher/registry-cache.ts';
import { auditInstances } from '../../../src/model-runtime/audit/audit-instances.ts';
import type { PositionedEvent } from '../../../src/model-runtime/protocol.ts';
import { ModelFunction } from '../../../src/model-runtime/remote/model-function.ts';
import type { DeadLetterStore } from '../../../src/stores/dead-letter-store.ts';
import type { StreamRecord } from '../../../src/stream/stream-record.ts';
import {
  failing,
  InstancesInMemory,
  instancesTable,
  writesCommit,
} from '../../support/aws-in-memory/instances-in-memory.ts';
import { ModelRegistryInMemory } from '../../support/aws-in-memory/model-registry-in-memory.ts';
import {
  allDeadLetters,
  deadLettersInMemory,
} from '../../support/aws-in-memory/stores-in-memory.ts';
import { macsOf, signed } from '../../support/data/event-macs.ts';
import { placed } from '../../support/data/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { counter } from '../../support/models/counter-model.ts';
import { ModelAsFunction } from '../../support/models/model-as-function.ts';
import { ModelLambdas } from '../../support/models/model-lambdas.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { reminder } from '../../support/models/reminder-model.ts';

/** A later version of the counter model, which adds each number twice. */
const doubling: Model = {
  ...counter,
  version: 2,
  transition(event, state, context) {
    if (event.type !== 'added') return counter.transition(event, state, context);
    const { n } = event.data as { n: number };
    if (n > 50) throw new Error('too much');
    const before = state as { sum: number };
    return accept({ ...before, sum: before.sum + 2 * n });
  },
};

const key = { model: 'counter', transaction: 'T1' };
let instances: InstancesInMemory;
let clock: ManualClock;
let deadLetters: DeadLetterStore;
let place: number;

beforeEach(async () => {
  clock = new ManualClock();
  instances = new InstancesInMemory(clock);
  deadLetters = deadLettersInMemory(clock);
  place = 100;
  await apply(counter, 1, 5);
});

/** Applies an event for each number, in separate requests to the model's function. */
async function apply(model: Model, ...numbers: number[]): Promise<void> {
  for (const n of numbers) await take(model, placed(++place, { data: { n } }));
}

async function take(model: Model, event: PositionedEvent): Promise<void> {
  const lambdas = new ModelLambdas(model, instances, clock);
  await lambdas.transition('', { op: 'transition', events: [event] });
}

const looked = async (
  model: Model | ModelFunction,
  more: { since?: string; rowsOnly?: boolean } = {},
) =>
  (
    await auditInstances(
      { model, store: instances.store, clock, rows: instances.rows },
      { op: 'audit', model: 'counter', transactions: ['T1'], ...more },
    )
  )[0]!;

/**
 * Rebuilds an instance with the dispatcher and the model's function. Returns the records that the stream must
 * redeliver.
 */
async function rebuild(
  model: Model | ModelFunction,
  { rowsOnly = false, again }: { rowsOnly?: boolean; again?: StreamRecord } = {},
) {
  const models = new ModelLambdas(model, instances, clock);
  const sequence = String(++place);
  const record = again ?? {
    recordId: `shard-0:${sequence}`,
    position: { shard: 'shard-0', sequence },
    partitionKey: 'T1',
    arrivedAt: clock.now(),
    data: signed(rebuildEvent(key, { rowsOnly })),
  };
  const log = { deadLetters: () => {}, parked: () => {}, failures: () => {} };
  const registry = new RegistryCache(new ModelRegistryInMemory(registryEntry('counter')), clock);
  const retry = { attempts: 1, backoff: 1 };
  const handedBack = await dispatch(
    {
      deaggregate: userRecords,
      registry,
      parking: instances.parking,
      deadLetters,
      models,
      stream: models.stream,
      retry,
      failureTracker: new FailureTracker(),
      clock,
      log,
      macs: macsOf(),
    },
    [record],
  );
  return { record, handedBack, models };
}
/** Parks an event of the instance. */
async function park(): Promise<void> {
  const { event, position } = placed(900, {});
  const at = '2026-01-01T00:00:00.000Z';
  await instances.parking.park([{ event, position, reason: 'x', fault: true, at, letterId: 'l' }]);
  await instances.parking.recount(key);
}

const row = () => instances.rowOf(key)!;
const newest = () => instances.commitsOf(key).at(-1)!;

describe('an audit', () => {
  it('finds no difference and writes nothing if the model and the status row are unchanged', async () => {
    const before = JSON.stringify(instances.database.items(instancesTable));
    expect(await looked(counter)).toEqual({
      ...{ transaction: 'T1', version: 2, row: 'right', isAsFolded: true },
      ...{ skipped: false, error: null },
      replayed: { events: 2, turned: [], turns: 0, isForgotten: false },
    });
    expect(JSON.stringify(instances.database.items(instancesTable))).toBe(before);
  });

  it('reports the difference if another model folds the history differently', async () => {
    expect(await looked(doubling)).toMatchObject({
      isAsFolded: false,
      replayed: {
        status: { before: 'Low', after: 'High' },
        state: { since: { id: expect.any(String) } },
      },
    });
  });

  it('checks only the status row if the model is in another language, and a rebuild corrects this row', async () => {
    const port = new ModelAsFunction(counter);
    const remote = new ModelFunction(port, { id: 'counter', canSeal: false, clock });
    instances.putRow({ ...row(), status: 'High' });
    expect(await looked(remote)).toMatchObject({
      ...{ row: 'wrong', replayed: null, isAsFolded: true },
      error: expect.stringContaining('in another language'),
    });
    await rebuild(remote);
    expect(await looked(remote)).toMatchObject({ row: 'right', version: 2 });
    expect(row().status).toBe('Low');
  });

  it.each([
    ['a missing status row', 'missing', () => instances.deleteRow(key)],
    ['a wrong status', 'wrong', () => instances.putRow({ ...row(), status: 'High' })],
    ['a wrong version', 'wrong', () => instances.putRow({ ...row(), version: 9 })],
    ['a wrong number of parked events', 'wrong', () => instances.putRow({ ...row(), parked: 3 })],
  ])('finds %s', async (_, found, tamper) => {
    tamper();
    expect(await looked(counter)).toMatchObject({ row: found, isAsFolded: true });
    expect(await looked(counter, { rowsOnly: true })).toMatchObject({
      row: found,
      replayed: null,
    });
  });

  it('accepts a status row from an older commit if none of its fields has changed since', async () => {
    expect(row().version).toBe(1);
    expect(await looked(counter)).toMatchObject({ version: 2, row: 'right' });
  });

  it('accepts the status row of an instance whose first event is parked, but not with a later version', async () => {
    instances = new InstancesInMemory(clock);
    await park();
    expect(await looked(counter)).toMatchObject({ version: 0, row: 'right', replayed: null });
    instances.putRow({ ...row(), version: 1 });
    expect(await looked(counter)).toMatchObject({ version: 0, row: 'wrong', replayed: null });
  });

  it('skips an instance that has not changed since a given time', async () => {
    const since = new Date(clock.now() + 1).toISOString();
    expect(await looked(doubling, { since })).toMatchObject({ skipped: true, replayed: null });
  });

  it('omits instances after its time limit, but never the first instance', async () => {
    const { store, rows } = instances;
    const environment = { model: counter, store, clock, rows };
    const transactions = ['T1', 'T2', 'T3'];
    const request = { op: 'audit', model: 'counter', transactions } as const;
    const found = await auditInstances(environment, request, clock.now());
    expect(found.map(({ transaction }) => transaction)).toEqual(['T1']);
  });

  it('omits the last instances if the response would exceed the limit of Lambda', async () => {
    const transactions = Array.from({ length: 120 }, (_, n) => `L${n}`);
    const events = transactions.flatMap((transaction) =>
      Array.from({ length: 20 }, () => placed(++place, { transaction, data: { n: 1 } })),
    );
    const lambdas = new ModelLambdas(counter, instances, clock);
    await lambdas.transition('', { op: 'transition', events });
    const verbose: Model = { ...counter, version: 2, transition: () => reject('語'.repeat(1_000)) };
    const { store, rows } = instances;
    const found = await auditInstances(
      { model: verbose, store, clock, rows },
      { op: 'audit', model: 'counter', transactions },
    );
    expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThan(6e6);
    expect(found.length).toBeGreaterThan(10);
    expect(found.map(({ transaction }) => transaction)).toEqual(
      transactions.slice(0, found.length),
    );
  });

  it('reports an instance that could not be read', async () => {
    instances.interfere = failing(() => true, 'no table');
    expect(await looked(counter)).toMatchObject({ error: 'no table', replayed: null });
  });
});

describe.each([1, 2])('if commit %s was deleted', (version) => {
  const reason = `commit ${version} is missing, but commit ${version + 1} exists`;

  beforeEach(async () => {
    await apply(counter, 7);
    instances.deleteCommit({ ...key, version });
  });

  it('an audit reports the missing commit', async () => {
    expect(await looked(counter)).toMatchObject({ error: reason, replayed: null });
  });

  it('a rebuild becomes a dead letter and does not change the instance', async () => {
    const before = newest();
    const { handedBack } = await rebuild(counter);
    expect(handedBack).toEqual([]);
    expect(newest()).toEqual(before);
    expect((await allDeadLetters(deadLetters)).map((letter) => letter.reason)).toEqual([
      expect.stringContaining(reason),
    ]);
  });
});

describe('a rebuild', () => {
  it('appends a commit that is marked as a rebuild, with the state that the history folds to', async () => {
    const { handedBack } = await rebuild(doubling);
    expect(handedBack).toEqual([]);
    expect(newest()).toMatchObject({
      ...{ version: 3, modelVersion: 2, description: { status: 'High' } },
      entries: [
        { outcome: 'applied', event: { type: 'milepost.rebuild', source: 'milepost:api' } },
      ],
    });
    expect(JSON.parse(newest().state)).toMatchObject({ sum: 12 });
    expect(row()).toEqual(statusRow(newest()));
    expect(await looked(doubling)).toMatchObject({ row: 'right', isAsFolded: true });
  });

  it('changes nothing if it is repeated or its event is redelivered', async () => {
    const { record } = await rebuild(doubling);
    await rebuild(doubling);
    await rebuild(doubling, { again: record });
    expect(instances.commitsOf(key)).toHaveLength(3);
  });

  it('provides the state for later events and can return an instance to an older model', async () => {
    await rebuild(doubling);
    await apply(doubling, 1);
    expect(JSON.parse(newest().state)).toMatchObject({ sum: 14 });
    await rebuild(counter);
    expect(JSON.parse(newest().state)).toMatchObject({ sum: 7 });
    expect(newest().version).toBe(5);
  });

  it('sends no events and publishes no notifications', async () => {
    const { models } = await rebuild(doubling);
    expect([models.stream.records, models.notifier.notifications]).toEqual([[], []]);
  });

  it.each([false, true])(
    'restores a lost status row, with rowsOnly set to %s',
    async (rowsOnly) => {
      const before = row();
      instances.deleteRow(key);
      await rebuild(counter, { rowsOnly });
      expect(row()).toEqual({ ...before, version: 2, updatedAt: newest().at });
      expect(instances.commitsOf(key)).toHaveLength(2);
    },
  );

  it('keeps a state that the model would fold differently if rowsOnly is set', async () => {
    instances.putRow({ ...row(), status: 'High', version: 12 });
    await rebuild(doubling, { rowsOnly: true });
    expect(row()).toMatchObject({ status: 'Low', version: 2 });
    expect(instances.commitsOf(key)).toHaveLength(2);
  });

  it('restores only the status row of an instance that the model fails on, without returning the event to the stream', async () => {
    await apply(counter, 60);
    instances.deleteRow(key);
    const { handedBack } = await rebuild(doubling);
    expect(handedBack).toEqual([]);
    expect(await allDeadLetters(deadLetters)).toMatchObject([
      {
        reason: expect.stringMatching(/could not be rebuilt: the model fails on added .*too much/),
      },
    ]);
    expect(instances.commitsOf(key)).toHaveLength(3);
    expect(row()).toMatchObject({ status: 'High', version: 3 });
  });

  it('includes the events that another writer commits during the rebuild', async () => {
    let first = true;
    instances.interfere = (access) => {
      if (!writesCommit(access) || !first) return;
      first = false;
      instances.putCommits({ ...newest(), version: 3 });
    };
    await rebuild(doubling);
    expect(newest()).toMatchObject({ version: 4 });
    expect(JSON.parse(newest().state)).toMatchObject({ sum: 22 });
  });

  it('returns its event to the stream if storage fails', async () => {
    instances.interfere = failing(writesCommit);
    const { record, handedBack } = await rebuild(doubling);
    expect(handedBack).toEqual([record]);
  });

  it('writes the status row if an earlier rebuild crashed after its commit', async () => {
    await rebuild(doubling);
    instances.putRow(statusRow(instances.commitsOf(key)[1]!));
    await rebuild(doubling);
    expect(instances.commitsOf(key)).toHaveLength(3);
    expect(row()).toEqual(statusRow(newest()));
  });

  it('keeps the parked events of the instance', async () => {
    await park();
    await rebuild(doubling);
    expect(row()).toMatchObject({ status: 'High', parked: 1 });
    expect(await instances.parking.count(key)).toBe(1);
  });

  it('cannot be requested by a producer, because the model rejects the event', async () => {
    const { record } = await rebuild(counter);
    const forged = { ...JSON.parse(Buffer.from(record.data).toString()), id: 'f', source: 'crm' };
    const position = { shard: 'shard-0', sequence: String(++place) };
    const data = Buffer.from(JSON.stringify(forged));
    await rebuild(doubling, { again: { ...record, position, data } });
    expect(newest().entries).toMatchObject([
      { outcome: 'rejected', reason: 'the model does not accept events of type milepost.rebuild' },
    ]);
    expect(JSON.parse(newest().state)).toMatchObject({ sum: 6 });
  });

  it('changes nothing for an instance without a history', async () => {
    instances = new InstancesInMemory(clock);
    const { handedBack } = await rebuild(doubling);
    expect([handedBack, instances.database.items(instancesTable)]).toEqual([[], []]);
  });
});

describe('the times of an instance', () => {
  const day = (n: number) => `2025-12-${n}T00:00:00.000Z`;

  beforeEach(async () => {
    instances = new InstancesInMemory(clock);
    await take(counter, placed(1, { data: { n: 3 }, time: day(20) }));
    await take(counter, placed(2, { data: { n: 30 }, time: day(22) }));
    await take(counter, placed(3, { data: { n: 1 }, time: day(21) }));
  });

  /** Replaces all event times with the times of the commits, which earlier versions of Milepost stored. */
  const dateByCommits = () => {
    for (const commit of instances.commitsOf(key))
      instances.putCommits({ ...commit, startedAt: commit.at, statusSince: commit.at });
    instances.putRow(statusRow(newest()));
  };

  it('are the times of its events, which an audit confirms', async () => {
    expect(newest()).toMatchObject({ startedAt: day(20), statusSince: day(22) });
    expect(await looked(counter)).toMatchObject({ row: 'right', isAsFolded: true });
  });

  it('are corrected by a rebuild if they are the times of the commits', async () => {
    const { at } = newest();
    dateByCommits();
    expect(await looked(counter)).toMatchObject({
      isAsFolded: false,
      replayed: {
        times: {
          before: { startedAt: at, statusSince: at },
          after: { startedAt: day(20), statusSince: day(22) },
        },
      },
    });
    await rebuild(counter);
    const times = { version: 4, startedAt: day(20), statusSince: day(22) };
    expect(newest()).toMatchObject(times);
    expect(row()).toMatchObject(times);
    expect(await looked(counter)).toMatchObject({ row: 'right', isAsFolded: true });
  });

  it('are updated by the next events if they are the times of the commits', async () => {
    dateByCommits();
    await take(counter, placed(4, { data: { n: 1 }, time: day(19) }));
    expect(row()).toMatchObject({ version: 4, startedAt: day(19) });
  });
});

describe('an instance whose events were all rejected', () => {
  beforeEach(async () => {
    instances = new InstancesInMemory(clock);
    await apply(counter, -1);
  });

  it('is not started by a rebuild that also rejects all events', async () => {
    const tagged = { ...counter, initial: () => ({ sum: 0, log: [], tag: 'new' }) } as Model;
    await rebuild(tagged);
    expect(JSON.parse(newest().state)).toMatchObject({ tag: 'new' });
    expect(newest()).toMatchObject({ version: 2, startedAt: null });
    expect(await looked(tagged)).toMatchObject({ row: 'right', isAsFolded: true });
  });

  it('is started by a rebuild that applies an event, at the time of this event', async () => {
    await clock.advance(1000);
    await rebuild(doubling);
    expect(JSON.parse(newest().state)).toMatchObject({ sum: -2 });
    expect(newest()).toMatchObject({ version: 2, startedAt: placed(1).event.time });
    expect(await looked(doubling)).toMatchObject({ row: 'right', isAsFolded: true });
  });
});

describe('the timers of an instance after a rebuild', () => {
  it('are those that result from folding its history', async () => {
    instances = new InstancesInMemory(clock);
    const model = { ...reminder, id: 'counter' } as Model;
    const start = { a: '2026-02-01T00:00:00.000Z' };
    await take(model, placed(1, { type: 'asked', data: { start } }));
    expect(newest().timers).toHaveLength(1);
    await rebuild({ ...model, transition: () => reject('no') });
    expect(newest().timers).toEqual([]);
    expect(row()).toMatchObject({ dueAt: null });
    await rebuild(model);
    expect(newest().timers).toEqual(instances.commitsOf(key)[0]!.timers);
  });
});
