import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dispatchLog } from '../../../../lambdas/support/monitoring/dispatch-log.ts';
import { loggedError } from '../../../../lambdas/support/monitoring/error-log.ts';
import { createApi } from '../../../../src/api/app.ts';
import { LambdaModelInvoker } from '../../../../src/aws/functions/lambda-model-invoker.ts';
import { KinesisEventStream } from '../../../../src/aws/stream/kinesis-event-stream.ts';
import { userRecords } from '../../../../src/aws/stream/user-records.ts';
import { defineModel } from '../../../../src/core/model/define-model.ts';
import type { Model } from '../../../../src/core/model/model.ts';
import { dispatch } from '../../../../src/dispatcher/dispatch.ts';
import { FailureTracker } from '../../../../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../../../../src/dispatcher/registry-cache.ts';
import type { DeadLetterStore } from '../../../../src/stores/dead-letter-store.ts';
import type { StreamRecord } from '../../../../src/stream/stream-record.ts';
import { countersWithoutRebuild } from '../../../support/aws-in-memory/counters-in-memory.ts';
import { EventStreamInMemory } from '../../../support/aws-in-memory/event-stream-in-memory.ts';
import { InstallationInMemory } from '../../../support/aws-in-memory/installation-in-memory.ts';
import { InstancesInMemory } from '../../../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../../../support/aws-in-memory/memory-dynamodb.ts';
import { MemoryLambda } from '../../../support/aws-in-memory/memory-lambda.ts';
import { ModelRegistryInMemory } from '../../../support/aws-in-memory/model-registry-in-memory.ts';
import {
  allDeadLetters,
  deadLettersInMemory,
  observationStoreInMemory,
} from '../../../support/aws-in-memory/stores-in-memory.ts';
import { macsOf } from '../../../support/data/event-macs.ts';
import { ModelLambdas } from '../../../support/models/model-lambdas.ts';
import { registryEntry } from '../../../support/models/registry-entry.ts';
import { skipSleep } from '../../../support/skip-sleep.ts';

/** Event data, which must not appear in a log unless eventDataInLogs is on. */
const secret = 'Ada Lovelace';
const clock = { now: () => Date.UTC(2026, 0, 1), sleep: skipSleep };

/** A model that throws an error whose message quotes event data. */
const careless = defineModel({
  id: 'careless',
  title: 'Careless',
  statuses: ['Fine'],
  events: { hired: v.object({ name: v.string() }) },
  initial: () => ({}),
  transition(event) {
    throw new Error(`cannot read ${JSON.stringify(event.data)}`);
  },
  describe: () => ({ status: 'Fine' as const }),
}) as unknown as Model;

let lines: object[];
let instances: InstancesInMemory;
let lettersDatabase: MemoryDynamoDb;
let deadLetters: DeadLetterStore;
let place = 0;
/** The parsed lines of all output during a test. */
let written: unknown[];

beforeEach(() => {
  lines = [];
  written = [];
  instances = new InstancesInMemory(clock);
  lettersDatabase = new MemoryDynamoDb({ letters: {} });
  deadLetters = deadLettersInMemory(clock, lettersDatabase);
  const write = (...parts: unknown[]) => written.push(...parts) > 0;
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation(write);
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation(write);
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(written).toEqual([]);
});

const take = (line: object) => void lines.push(line);

/** Dispatches records to the model, with the dispatcher's log. */
function run(records: readonly StreamRecord[], eventData = false) {
  const environment = {
    deaggregate: userRecords,
    registry: new RegistryCache(new ModelRegistryInMemory(registryEntry('careless')), clock),
    parking: instances.parking,
    deadLetters,
    models: new ModelLambdas(careless, instances, clock),
    stream: new EventStreamInMemory(),
    retry: { attempts: 1, backoff: 0 },
    failureTracker: new FailureTracker(),
    clock,
    macs: macsOf(),
    log: dispatchLog({ eventData }, { warn: take, error: take }),
  };
  return dispatch(environment, records);
}

function record(data: string): StreamRecord {
  const sequence = String(++place);
  const position = { shard: 'shard', sequence };
  const bytes = Buffer.from(data);
  return { recordId: `shard:${sequence}`, position, partitionKey: 'k', arrivedAt: 0, data: bytes };
}

const event = (id: string, more: object = {}) =>
  record(
    JSON.stringify({
      id,
      type: 'hired',
      modelid: 'careless',
      transactionid: 'T1',
      data: { name: secret },
      ...more,
    }),
  );

describe("the dispatcher's log", () => {
  it('lists parked events without their data, with faulty events first', async () => {
    await run([event('a'), event('b'), event('c', { transactionid: 'T2' })]);
    expect(lines).toEqual([
      { message: 'parked', model: 'careless', transaction: 'T1', event: 'a', fault: true },
      { message: 'parked', model: 'careless', transaction: 'T2', event: 'c', fault: true },
      { message: 'parked', model: 'careless', transaction: 'T1', event: 'b', fault: false },
    ]);
    expect(JSON.stringify(await allDeadLetters(deadLetters))).toContain(secret);
  });

  it('lists dead letters without event data', async () => {
    await run([record(`${secret} was hired`), event('a', { type: undefined })]);
    expect(lines).toEqual([
      expect.objectContaining({ message: 'dead letter', model: null, event: null }),
      {
        message: 'dead letter',
        letter: expect.any(String),
        model: 'careless',
        transaction: 'T1',
        event: 'a',
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('Ada');
  });

  it('contains reasons, which can quote event data, if eventDataInLogs is on', async () => {
    await run([event('a')], true);
    expect(lines).toMatchObject([{ message: 'parked', reason: expect.stringContaining(secret) }]);
    lines = [];
    await run([record(`${secret} was hired`)], true);
    expect(lines).toMatchObject([{ message: 'dead letter', reason: expect.stringMatching('Ada') }]);
  });

  it('contains the AWS errors of records that must be redelivered', async () => {
    lettersDatabase.interfere = () => {
      throw new Error('Rate exceeded');
    };
    await run([record(secret), record(secret)]);
    expect(lines).toEqual([{ message: 'records to retry', count: 2, reasons: ['Rate exceeded'] }]);
  });

  it('lists at most twenty events of a batch and counts the other events', async () => {
    await run(Array.from({ length: 50 }, (_, i) => record(`${i} ${secret}`)));
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toEqual({ message: 'dead letter: more', count: 30 });
  });
});

describe("the API's log", () => {
  const registry = new ModelRegistryInMemory(registryEntry('careless'));
  const api = (putRecords: () => Promise<never>) =>
    createApi({
      instances: instances.store,
      parking: instances.parking,
      lists: instances.lists(),
      models: registry,
      versions: registry,
      describer: new LambdaModelInvoker(new MemoryLambda()),
      ...countersWithoutRebuild(instances, clock),
      scanner: instances.scanner,
      events: instances.events,
      auditor: {
        audit: () => Promise.reject(new Error('not here')),
        foldUntil: () => Promise.reject(new Error('not here')),
        deadlines: () => Promise.reject(new Error('not here')),
      },
      observations: observationStoreInMemory(),
      deadLetters,
      stream: new KinesisEventStream({ putRecords }, 'events', clock),
      ownStream: new KinesisEventStream({ putRecords }, 'events', clock),
      clock,
      installation: new InstallationInMemory(clock, instances.client),
      rolesOf: () => undefined,
      linkKey: undefined,
      corsOrigins: [],
      logError: (error) => take(loggedError(error)),
    });
  const body = (more: object = {}) =>
    JSON.stringify({
      id: 'a',
      type: 't',
      modelid: 'careless',
      transactionid: 'T1',
      data: { name: secret },
      ...more,
    });
  const post = (text: string, fault: Error) =>
    api(() => Promise.reject(fault)).request('/api/events', { method: 'POST', body: text });

  it('contains the error and its stack but no request data', async () => {
    const fault = Object.assign(new Error('Rate exceeded'), { code: 'busy' });
    expect((await post(body(), fault)).status).toBe(503);
    expect(lines).toMatchObject([{ name: 'Error', message: 'Rate exceeded', code: 'busy' }]);
    expect(JSON.stringify(lines)).toContain('logs.test.ts');
    expect(JSON.stringify(lines)).not.toContain('Ada');
  });

  it('omits messages and causes that quote invalid JSON', async () => {
    let quoting: unknown;
    try {
      JSON.parse(secret);
    } catch (error) {
      quoting = error;
    }
    expect(String(quoting)).toContain('Ada');
    await post(body(), new Error('it was stored wrongly', { cause: quoting }));
    await post(body(), quoting as Error);
    expect(lines).toMatchObject([
      { message: 'it was stored wrongly', cause: { name: 'SyntaxError', message: 'not JSON' } },
      { name: 'SyntaxError', message: 'not JSON' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('Ada');
  });

  it('is empty for rejected requests', async () => {
    expect((await post(secret, new Error())).status).toBe(400);
    expect((await post(body({ type: '' }), new Error())).status).toBe(400);
    expect(lines).toEqual([]);
  });

  it('can contain thrown values that are not errors', () => {
    expect(loggedError({ name: secret })).toEqual({
      name: 'object',
      message: 'the thrown value is not an error',
    });
  });
});
