import { beforeEach, describe, expect, it } from 'vitest';
import { userRecords } from '../../../src/aws/stream/user-records.ts';
import { redriveEvent } from '../../../src/core/event/redrive.ts';
import { dispatch } from '../../../src/dispatcher/dispatch.ts';
import type { DispatchDependencies } from '../../../src/dispatcher/dispatch-dependencies.ts';
import { FailureTracker } from '../../../src/dispatcher/failures/failure-tracker.ts';
import type { BatchCounts } from '../../../src/dispatcher/monitoring/metrics.ts';
import type { Span } from '../../../src/dispatcher/monitoring/span-exporter.ts';
import { RegistryCache } from '../../../src/dispatcher/registry-cache.ts';
import { transition } from '../../../src/model-runtime/transition.ts';
import type { StreamRecord } from '../../../src/stream/stream-record.ts';
import { EventStreamInMemory } from '../../support/aws-in-memory/event-stream-in-memory.ts';
import {
  InstancesInMemory,
  writesCommit,
} from '../../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { ModelRegistryInMemory } from '../../support/aws-in-memory/model-registry-in-memory.ts';
import { NotifierInMemory } from '../../support/aws-in-memory/notifier-in-memory.ts';
import { deadLettersInMemory } from '../../support/aws-in-memory/stores-in-memory.ts';
import { macsOf, signed } from '../../support/data/event-macs.ts';
import { placed } from '../../support/data/events.ts';
import { counter } from '../../support/models/counter-model.ts';
import { ModelLambdas } from '../../support/models/model-lambdas.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { answered, StubInvoker } from '../../support/models/stub-invoker.ts';
import { skipSleep } from '../../support/skip-sleep.ts';

const now = Date.UTC(2026, 0, 1);
const clock = { now: () => now, sleep: skipSleep };
const nothing = { applied: 0, rejected: 0, duplicate: 0, parked: 0, deadLetters: 0, ages: [] };

let registry: ModelRegistryInMemory;
let instances: InstancesInMemory;
let lettersDatabase: MemoryDynamoDb;
let models: StubInvoker;
let environment: DispatchDependencies;
let batches: BatchCounts[];
let spans: Span[];
let place = 0;

beforeEach(() => {
  registry = new ModelRegistryInMemory(registryEntry('counter'), registryEntry('other'));
  instances = new InstancesInMemory(clock);
  lettersDatabase = new MemoryDynamoDb({ letters: {} });
  models = new StubInvoker();
  batches = [];
  spans = [];
  environment = {
    deaggregate: userRecords,
    registry: new RegistryCache(registry, clock),
    parking: instances.parking,
    deadLetters: deadLettersInMemory(clock, lettersDatabase),
    models,
    stream: new EventStreamInMemory(),
    retry: { attempts: 2, backoff: 0 },
    failureTracker: new FailureTracker(),
    clock,
    macs: macsOf(),
    log: { deadLetters: () => {}, parked: () => {}, failures: () => {} },
    metrics: { recordBatch: (counts) => batches.push(counts) },
    spanExporter: {
      export: async (more) => {
        spans.push(...more);
      },
    },
  };
});

/** Returns a record that the stream received `age` milliseconds ago. */
function record(id: string, more: object = {}, age = 100): StreamRecord {
  const sequence = String(++place).padStart(8, '0');
  const event = { id, type: 'added', modelid: 'counter', transactionid: 'T1', data: { n: 1 } };
  return {
    recordId: `shard:${sequence}`,
    position: { shard: 'shard', sequence },
    partitionKey: 'T1',
    arrivedAt: now - age,
    data: Buffer.from(JSON.stringify({ ...event, ...more })),
  };
}

/** Dispatches a batch. Returns the counts of each model, and the total number of dead letters. */
async function counted(...records: StreamRecord[]) {
  await dispatch(environment, records);
  const { models: byModel, deadLetters: all } = batches.at(-1)!;
  return { ...Object.fromEntries(byModel), deadLetters: all };
}

describe('the metrics of a batch', () => {
  it('contain the number of stream records, not counting the parts into which Lambda has split an aggregated record', async () => {
    const split = record('c');
    const parts = [split, { ...split, recordId: `${split.recordId}:1` }];
    await dispatch(environment, [record('a'), record('b'), ...parts]);
    expect(batches.at(-1)!.records).toBe(2);
  });

  it('are reported once, with the outcomes of each model', async () => {
    models.respond = (events) =>
      answered(
        events.map(({ event }) =>
          event.type === 'rejected'
            ? { outcome: 'rejected', reason: 'no' }
            : event.type === 'again'
              ? { outcome: 'duplicate' }
              : { outcome: 'applied' },
        ),
      );
    const found = await counted(
      record('a'),
      record('b', { type: 'rejected' }, 250),
      record('c', { type: 'again' }),
      record('d', { modelid: 'other' }, 3),
      record('e', {}, 40),
    );
    expect(found).toEqual({
      counter: { ...nothing, applied: 2, rejected: 1, duplicate: 1, ages: [100, 250, 40] },
      other: { ...nothing, applied: 1, ages: [3] },
      deadLetters: 0,
    });
    expect(batches).toHaveLength(1);
  });

  it('contain no negative age, even if clocks differ', async () => {
    expect(await counted(record('a', {}, -50))).toMatchObject({ counter: { ages: [0] } });
  });

  it('contain the number of dead letters, in total and for each registered model that the dead letters name', async () => {
    const found = await counted(
      record('a', { type: undefined }),
      record('b', { modelid: 'other', type: undefined }),
      record('c', { modelid: 'nobody' }),
      record('d', { modelid: 'NOT A MODEL' }),
      { ...record('e'), data: Buffer.from('no JSON') },
    );
    expect(found).toEqual({
      counter: { ...nothing, deadLetters: 1 },
      other: { ...nothing, deadLetters: 1 },
      deadLetters: 5,
    });
  });

  it('contain the total number of dead letters even if the registry cannot be read', async () => {
    registry.database.interfere = () => {
      throw new Error('not now');
    };
    expect(await counted(record('a', { type: undefined }))).toEqual({ deadLetters: 1 });
  });

  it('do not include records that the stream must redeliver', async () => {
    models.respond = () => ({ kind: 'unavailable', reason: 'throttled' });
    lettersDatabase.interfere = () => {
      throw new Error('throttled');
    };
    expect(await counted(record('a'), record('b', { type: undefined }))).toEqual({
      deadLetters: 0,
    });
  });
});

describe('a parked event in the metrics', () => {
  beforeEach(() => {
    environment = { ...environment, models: new ModelLambdas(counter, instances, clock) };
  });

  it('is counted as parked, like the events that are queued behind it', async () => {
    const found = await counted(
      record('a'),
      record('b', { type: 'failed' }),
      record('c'),
      record('d', { transactionid: 'T2' }),
    );
    expect(found).toMatchObject({
      counter: { ...nothing, applied: 2, parked: 2, ages: [100, 100] },
    });
  });

  it('is counted with its new outcome and without an age when it is redriven', async () => {
    const model = new ModelLambdas(counter, instances, clock);
    model.crash = () => ({ kind: 'failed', reason: 'out of memory' });
    environment = { ...environment, models: model };
    expect(await counted(record('a'))).toMatchObject({ counter: { parked: 1 } });
    model.crash = () => undefined;
    const redrive = redriveEvent({ model: 'counter', transaction: 'T1' });
    const found = await counted({
      ...record('r'),
      data: signed(redrive),
    });
    expect(found).toEqual({ counter: { ...nothing, applied: 1 }, deadLetters: 0 });
  });
});

describe('the span of an event', () => {
  const traceparent = '00-4efaaf4d1e8720b39541901950019ee5-00f067aa0ba902b7-01';
  const trace = { traceId: '4efaaf4d1e8720b39541901950019ee5', parentId: '00f067aa0ba902b7' };

  it("covers the time from the event's arrival on the stream to its outcome", async () => {
    await counted(record('a', { traceparent }, 300), record('b'));
    expect(spans).toEqual<Span[]>([
      {
        trace,
        model: 'counter',
        transaction: 'T1',
        event: 'a',
        outcome: 'applied',
        startedAt: now - 300,
        endedAt: now,
      },
    ]);
  });

  it('does not delay the batch for more than half a second if X-Ray does not respond', async () => {
    const slow: DispatchDependencies = {
      ...environment,
      clock: {
        now: () => now,
        sleep: (ms, signal) => (ms === 500 ? Promise.resolve() : skipSleep(ms, signal)),
      },
      spanExporter: { export: () => new Promise(() => {}) },
    };
    expect(await dispatch(slow, [record('a', { traceparent })])).toEqual([]);
  });

  it('is not needed to dispatch a traced event, so a dispatcher can run without an exporter', async () => {
    const { spanExporter: _, ...untraced } = environment;
    expect(await dispatch(untraced, [record('a', { traceparent })])).toEqual([]);
  });
});

describe('the conflict count', () => {
  const conflicts: number[] = [];
  const apply = (n: number) => {
    const { store } = instances;
    const [stream, notifier] = [new EventStreamInMemory(), new NotifierInMemory()];
    const onConflicts = (count: number) => conflicts.push(count);
    return transition({ model: counter, store, stream, notifier, clock, onConflicts }, [placed(n)]);
  };

  it('increases when another writer commits first', async () => {
    await apply(1);
    expect(conflicts).toEqual([]);
    let raced = false;
    instances.interfere = (access) => {
      if (!writesCommit(access) || raced) return;
      raced = true;
      const [first] = instances.commitsOf({ model: 'counter', transaction: 'T1' });
      instances.putCommits({ ...first!, version: 2 });
    };
    expect(await apply(2)).toEqual([{ outcome: 'applied' }]);
    expect(conflicts).toEqual([1]);
  });
});
