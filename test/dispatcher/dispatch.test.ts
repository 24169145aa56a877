import { type GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { KinesisStreamRecord } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { toStreamRecord } from '../../src/aws/stream/kinesis-event.ts';
import { userRecords } from '../../src/aws/stream/user-records.ts';
import { type DeadLetter, deadLetterIdPattern } from '../../src/core/event/dead-letter.ts';
import type { InstanceKey } from '../../src/core/event/event.ts';
import { redriveEvent } from '../../src/core/event/redrive.ts';
import { rebuildEvent } from '../../src/core/replay/rebuild.ts';
import { dispatch } from '../../src/dispatcher/dispatch.ts';
import { FailureTracker } from '../../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import type { BlockedEvent } from '../../src/parking/blocked-event.ts';
import type { DeadLetterStore } from '../../src/stores/dead-letter-store.ts';
import type { BatchItemFailure } from '../../src/stream/batch-item-failure.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { allDeadLetters, deadLettersInMemory } from '../support/aws-in-memory/stores-in-memory.ts';
import { aggregate } from '../support/data/aggregate.ts';
import { macsOf, signed } from '../support/data/event-macs.ts';
import { kinesisTestRecord } from '../support/data/kinesis-test-record.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { registryEntry } from '../support/models/registry-entry.ts';
import { answered, StubInvoker } from '../support/models/stub-invoker.ts';

let registry: ModelRegistryInMemory;
let lettersDatabase: MemoryDynamoDb;
let deadLetters: DeadLetterStore;
let models: StubInvoker;
let clock: ManualClock;
let retry: { attempts: number; backoff: number };
let run: (...records: StreamRecord[]) => Promise<StreamRecord[]>;
let logged: { letters: DeadLetter[]; parked: BlockedEvent[]; failures: BatchItemFailure[] };

beforeEach(() => {
  registry = new ModelRegistryInMemory(registryEntry('counter'), registryEntry('other'));
  models = new StubInvoker();
  clock = new ManualClock();
  lettersDatabase = new MemoryDynamoDb({ letters: {} });
  deadLetters = deadLettersInMemory(clock, lettersDatabase);
  logged = { letters: [], parked: [], failures: [] };
  retry = { attempts: 1, backoff: 0 };
  const environment = {
    deaggregate: userRecords,
    registry: new RegistryCache(registry, clock),
    deadLetters,
    parking: new InstancesInMemory(clock).parking,
    models,
    stream: new EventStreamInMemory(),
    retry,
    failureTracker: new FailureTracker(),
    clock,
    macs: macsOf(),
    log: {
      deadLetters: (letters: readonly DeadLetter[]) => logged.letters.push(...letters),
      parked: (parked: readonly BlockedEvent[]) => logged.parked.push(...parked),
      failures: (failures: readonly BatchItemFailure[]) => logged.failures.push(...failures),
    },
  };
  run = (...records) => dispatch(environment, records);
});

const arrivedAt = Date.UTC(2026, 0, 1);
let place = 0;

function raw(data: string | Uint8Array): StreamRecord {
  const sequence = String(++place);
  return {
    recordId: `shardId-000000000000:${sequence}`,
    position: { shard: 'shardId-000000000000', sequence },
    partitionKey: `key ${sequence}`,
    arrivedAt,
    data: Buffer.from(data),
  };
}

const attributes = (id: string, more: object = {}) => ({
  id,
  type: 'added',
  modelid: 'counter',
  transactionid: 'T1',
  ...more,
});
const good = (id: string, more: object = {}) => raw(JSON.stringify(attributes(id, more)));
const inOrder = new Intl.Collator('en', { numeric: true });
/** Returns the dead letters in the order of their records. */
const letters = async () =>
  (await allDeadLetters(deadLetters)).toSorted((a, b) =>
    inOrder.compare(a.partitionKey, b.partitionKey),
  );

describe('dispatch', () => {
  it('invokes each model once, with its events in stream order', async () => {
    const left = await run(
      good('a'),
      good('b', { modelid: 'other' }),
      good('c', { transactionid: 'T2' }),
      good('d', { modelid: 'other' }),
      good('e'),
    );
    expect(left).toEqual([]);
    expect(models.calls.map(({ functionArn }) => functionArn.split(':').at(-1))).toEqual([
      'counter',
      'other',
    ]);
    expect(models.ids).toEqual([
      ['a', 'c', 'e'],
      ['b', 'd'],
    ]);
    expect(await letters()).toEqual([]);
    expect(logged).toEqual({ letters: [], parked: [], failures: [] });
  });

  it('sends each event with the position of its record, and with the arrival time if the event has no time', async () => {
    const record = good('a');
    await run(record);
    expect(models.calls[0]?.events).toEqual([
      {
        position: record.position,
        event: {
          id: 'a',
          source: 'unknown',
          type: 'added',
          model: 'counter',
          transaction: 'T1',
          time: '2026-01-01T00:00:00.000Z',
          data: {},
        },
      },
    ]);
  });

  it('returns no record of an applied, rejected, or duplicate event to the stream', async () => {
    models.respond = () =>
      answered([
        { outcome: 'applied' },
        { outcome: 'rejected', reason: 'no' },
        { outcome: 'duplicate' },
      ]);
    expect(await run(good('a'), good('b'), good('c'))).toEqual([]);
    expect(await letters()).toEqual([]);
  });

  it('does nothing for an empty batch', async () => {
    expect(await run()).toEqual([]);
    expect(models.calls).toEqual([]);
  });
});

describe('dispatch with invalid records', () => {
  const without = (name: string) => JSON.stringify({ ...attributes('x'), [name]: undefined });
  const withAttribute = (name: string, value: unknown) =>
    JSON.stringify(attributes('x', { [name]: value }));
  const long = 'x'.repeat(257);
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it.each<[what: string, data: string | Uint8Array, reason: string]>([
    ['empty data', '', 'not JSON'],
    ['text that is not JSON', 'hello', 'not JSON'],
    ['incomplete JSON', '{"id":"x",', 'not JSON'],
    ['an array', '[]', 'not a JSON object'],
    ['a string', '"x"', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['an array of events', `[${JSON.stringify(attributes('x'))}]`, 'not a JSON object'],
    ['no id', without('id'), 'id is missing'],
    ['no type', without('type'), 'type is missing'],
    ['no modelid', without('modelid'), 'modelid is missing'],
    ['no transactionid', without('transactionid'), 'transactionid is missing'],
    ['a long id', withAttribute('id', long), 'id must have 1 to 256'],
    ['a long type', withAttribute('type', long), 'type must have 1 to 256'],
    ['a long source', withAttribute('source', long), 'source must have 1 to 256'],
    ['a long transactionid', withAttribute('transactionid', long), 'transactionid must have 1'],
    ['a long modelid', withAttribute('modelid', 'x'.repeat(65)), 'modelid must have 1 to 64'],
    ['an empty id', withAttribute('id', ''), 'id must have 1 to 256'],
    ['a number as the id', withAttribute('id', 7), 'id must be a string'],
    ['a control character', withAttribute('transactionid', 'a\nb'), 'control characters'],
    ['a lone surrogate', withAttribute('id', '\ud800'), 'well-formed'],
    ['another specversion', withAttribute('specversion', '0.3'), 'specversion must be'],
    [
      'a time that is not a date',
      withAttribute('time', 'yesterday'),
      'time must be an RFC 3339 date',
    ],
    [
      'a nonexistent day',
      withAttribute('time', '2026-02-30T00:00:00Z'),
      'time must be an RFC 3339 date',
    ],
    ['a date without a time', withAttribute('time', '2026-02-03'), 'time must be an RFC 3339 date'],
    ['an invalid replyto', withAttribute('replyto', 'orders'), 'replyto must have the form'],
    ['an unknown model', withAttribute('modelid', 'nobody'), 'no such model: nobody'],
    ['a model named like a method', withAttribute('modelid', 'constructor'), 'no such model'],
    ['data of 300 KB', withAttribute('data', 'x'.repeat(300 * 1024)), 'too large: '],
    ['broken UTF-8', Uint8Array.of(0x22, 0xc3, 0x28, 0x22), 'not UTF-8'],
    ['the key __proto__', '{"__proto__":{"id":"x"}}', '__proto__'],
    ['a nested key __proto__', '{"id":"x","data":{"a":[{"__proto__":1}]}}', '__proto__'],
    [
      'a number that is too long',
      '{"id":"x","data":{"n":12345678901234567890}}',
      'has no exact representation',
    ],
    ['a number that is too large', '{"id":"x","data":1e400}', 'has no exact representation'],
    ['deep nesting', `{"id":"x","data":${deep(200)}}`, 'nested'],
    ['very deep nesting', deep(100_000), 'nested'],
  ])(
    'turns a record with %s into a dead letter and applies the rest of the batch',
    async (_, data, reason) => {
      const record = raw(data);
      expect(await run(good('a'), record, good('b'))).toEqual([]);
      expect(models.ids).toEqual([['a', 'b']]);
      expect(await letters()).toEqual([
        expect.objectContaining({
          reason: expect.stringContaining(reason),
          at: '2026-01-01T00:00:00.000Z',
          partitionKey: record.partitionKey,
        }),
      ]);
      const [letter] = await letters();
      expect(Buffer.compare(letter!.raw, record.data)).toBe(0);
      const [said] = logged.letters;
      expect(Buffer.compare(said!.raw, record.data)).toBe(0);
      // `raw` is omitted, because the matcher compares bytes one by one, which is slow.
      expect({ ...said, raw: null }).toEqual({ ...letter, raw: null });
      expect(logged).toMatchObject({ letters: [{}], parked: [], failures: [] });
    },
  );

  it('stores the ids that can be read from a rejected record', async () => {
    await run(raw(JSON.stringify({ id: 'e1', modelid: 'counter', transactionid: 'T9' })));
    await run(good('e2', { modelid: 'nobody' }));
    expect(await letters()).toMatchObject([
      { eventId: 'e1', modelId: 'counter', transactionId: 'T9' },
      { eventId: 'e2', modelId: 'nobody', transactionId: 'T1' },
    ]);
  });

  it('stores a well-formed reason for a record with emoji', async () => {
    await run(raw('😀'), raw(`{"a":"${'😀'.repeat(9)}`));
    const reasons = (await letters()).map(({ reason }) => reason);
    expect(reasons).toEqual([
      expect.stringContaining('not JSON'),
      expect.stringContaining('not JSON'),
    ]);
    expect(reasons.every((reason) => reason.isWellFormed())).toBe(true);
  });

  it('creates one dead letter per record, regardless of how often the record is delivered', async () => {
    const records = [raw('bad'), good('x', { modelid: 'nobody' }), raw('bad')];
    await run(...records);
    const first = await letters();
    await run(...records);
    expect(first).toHaveLength(3);
    expect(await letters()).toEqual(first);
  });

  it('turns a Kinesis test event into a dead letter and reports no failure', async () => {
    expect(toStreamRecord(kinesisTestRecord).position).toEqual({
      shard: 'shardId-000000000000',
      sequence: '49545115243490985018280067714973144582180062593244200961',
    });
    expect(await run(toStreamRecord(kinesisTestRecord))).toEqual([]);
    expect(await letters()).toEqual([
      {
        id: expect.stringMatching(deadLetterIdPattern),
        reason: 'id is missing; type is missing; modelid is missing; transactionid is missing',
        at: '2015-04-09T00:00:00.000Z',
        partitionKey: 'partitionKey-3',
        parked: null,
        raw: Buffer.from('{"foo":"data for you"}'),
        modelId: null,
        transactionId: null,
        eventId: null,
      },
    ]);
  });

  it('assigns a valid partition key to a record without one, so that its dead letter can be stored and redriven', async () => {
    const kinesis = { ...kinesisTestRecord.kinesis, partitionKey: null };
    const record = toStreamRecord({
      ...kinesisTestRecord,
      kinesis,
    } as unknown as KinesisStreamRecord);
    expect(await run(record)).toEqual([]);
    expect(await letters()).toMatchObject([{ partitionKey: kinesisTestRecord.eventID }]);
  });
});

describe('the batch item failures of dispatch', () => {
  const counters = () => [good('a'), good('b')];
  const others = () => [good('x', { modelid: 'other' }), good('y', { modelid: 'other' })];

  it('contain the events that could not be stored', async () => {
    models.respond = (events) =>
      answered(
        events.map(({ event }) =>
          event.id === 'b'
            ? { outcome: 'failed', fault: 'service', reason: 'throttled' }
            : { outcome: 'applied' },
        ),
      );
    const [a, b] = counters();
    expect(await run(a!, b!)).toEqual([b]);
    expect(logged.failures).toEqual([{ record: b, reason: 'throttled' }]);
  });

  it('contain the events of a model whose registry entry cannot be read', async () => {
    registry.database.interfere = (command) => {
      const { Key } = (command as GetItemCommand).input;
      if (Key!.id!.S === 'counter') throw new Error('no registry');
    };
    const kept = counters();
    expect(await run(...kept, ...others(), raw('bad'))).toEqual(kept);
    expect(models.ids).toEqual([['x', 'y']]);
    expect(await letters()).toHaveLength(1);
    expect(logged.failures.map(({ reason }) => reason)).toEqual(['no registry', 'no registry']);
  });

  it('contain the events of a model whose function is unavailable', async () => {
    models.respond = (_, functionArn) =>
      functionArn.endsWith(':counter') ? { kind: 'unavailable', reason: 'throttled' } : undefined;
    const kept = counters();
    expect(await run(...others(), ...kept)).toEqual(kept);
    expect(logged.failures.map(({ reason }) => reason)).toEqual(['throttled', 'throttled']);
    expect(await letters()).toEqual([]);
  });

  it('contain the events of an invocation that throws', async () => {
    models.respond = (_, functionArn) => {
      if (functionArn.endsWith(':counter')) throw new Error('no way');
      return undefined;
    };
    const kept = counters();
    expect(await run(...kept, ...others())).toEqual(kept);
  });

  it('contain the rejected records that could not be stored as dead letters', async () => {
    lettersDatabase.interfere = (command) => {
      const isOfOthers =
        command instanceof PutItemCommand &&
        command.input.Item!.partitionKey!.S !== first.partitionKey;
      if (!isOfOthers) throw new Error('no table');
    };
    const first = raw('bad');
    expect(await run(...counters(), first, raw('worse'))).toEqual([first]);
    lettersDatabase.interfere = () => {};
    expect(await letters()).toMatchObject([{ raw: Buffer.from('worse') }]);
    expect(logged).toEqual({
      letters: await letters(),
      parked: [],
      failures: [{ record: first, reason: 'no table' }],
    });
    expect(models.ids).toEqual([['a', 'b']]);
  });
});

describe('the user records of an aggregated stream record', () => {
  const together = (...parts: readonly (string | object)[]) =>
    raw(
      aggregate(
        parts.map((part, index) => ({
          partitionKey: `part ${index}`,
          data: Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)),
        })),
      ),
    );

  it('are dispatched in order, each with its own position', async () => {
    const whole = together(attributes('b'), attributes('c', { modelid: 'other' }), attributes('d'));
    expect(await run(good('a'), whole, good('e'))).toEqual([]);
    expect(models.ids).toEqual([['a', 'b', 'd', 'e'], ['c']]);
    const { shard, sequence } = whole.position;
    const places = models.calls.flatMap(({ events }) => events.map(({ position }) => position));
    expect(places).toContainEqual({ shard, sequence: `${sequence}.00000002` });
    expect(new Set(places.map(({ sequence }) => sequence)).size).toBe(5);
  });

  it('are returned to the stream once, as the complete stream record, if a user record fails', async () => {
    models.respond = () => {
      throw new Error('no way');
    };
    const whole = together(attributes('a'), attributes('b'), 'no event');
    expect(await run(whole)).toEqual([whole]);
    expect(logged.failures).toHaveLength(2);
    expect(await letters()).toMatchObject([{ partitionKey: 'part 2' }]);
  });

  it('become one dead letter each if they are not valid events, even if the stream record is redelivered', async () => {
    const whole = together('bad', attributes('a'), 'worse');
    await run(whole);
    await run(whole);
    expect(
      (await letters()).map(({ raw, partitionKey }) => [raw.toString(), partitionKey]),
    ).toEqual([
      ['bad', 'part 0'],
      ['worse', 'part 2'],
    ]);
  });

  it('become a single dead letter if many user records are too short for an event', async () => {
    const short = Array.from({ length: 500 }, () => 'x');
    const whole = together(attributes('a'), ...short, attributes('b'));
    expect(await run(whole)).toEqual([]);
    expect(models.ids).toEqual([['a', 'b']]);
    expect(await letters()).toMatchObject([
      {
        reason: 'aggregated, but 500 of its 502 user records are too short for an event',
        raw: whole.data,
      },
    ]);
  });

  it('become one dead letter with all bytes if the stream record is damaged', async () => {
    const whole = together(attributes('a'), attributes('b'));
    const damaged = { ...whole, data: Buffer.from(whole.data).fill(0, 20, 30) };
    expect(await run(damaged, good('c'))).toEqual([]);
    expect(await letters()).toMatchObject([
      { reason: 'aggregated, but its checksum does not match', raw: damaged.data },
    ]);
    expect(models.ids).toEqual([['c']]);
  });
});

describe('dispatch with the model registry', () => {
  const again = () => good('again');

  it('finds a model that was registered after the previous batch', async () => {
    registry.unregister('counter');
    await run(good('early'));
    registry.register(registryEntry('counter'));
    await run(again());
    expect(models.ids).toEqual([['again']]);
    expect(await letters()).toMatchObject([{ eventId: 'early' }]);
  });

  it('finds a model that an eventually consistent read does not yet return', async () => {
    registry.lagging.add('counter');
    await run(good('early'));
    expect(models.ids).toEqual([['early']]);
    expect(await letters()).toEqual([]);
  });

  it('returns events to the stream if it cannot confirm that a model is missing', async () => {
    registry.lagging.add('counter');
    registry.database.interfere = (command) => {
      if ((command as GetItemCommand).input.ConsistentRead) throw new Error('no registry');
    };
    expect(await run(good('early'))).toHaveLength(1);
    expect(await letters()).toEqual([]);
  });

  it('reads a registry entry once for many batches, and again after five seconds', async () => {
    await run(again(), again());
    await run(again());
    await clock.advance(4_999);
    await run(again());
    expect(registry.reads.get('counter')).toBe(1);
    await clock.advance(1);
    await run(again());
    expect(registry.reads.get('counter')).toBe(2);
  });

  it('detects within five seconds that a model was removed', async () => {
    await run(again());
    registry.unregister('counter');
    await clock.advance(5_000);
    expect(await run(good('late'))).toEqual([]);
    expect(await letters()).toMatchObject([{ eventId: 'late', reason: 'no such model: counter' }]);
    expect(models.ids).toEqual([['again']]);
  });

  it('retries with the new function if a deployment has just replaced the function', async () => {
    retry.attempts = 2;
    await run(good('early', { transactionid: 'T1' }));
    registry.register(registryEntry('counter', { functionArn: 'arn:new' }));
    models.respond = (_, functionArn) =>
      functionArn === 'arn:new' ? undefined : { kind: 'failed', reason: 'function not found' };
    expect(await clock.runUntil(run(good('late', { transactionid: 'T2' })))).toEqual([]);
    expect(models.calls.at(-1)).toMatchObject({ functionArn: 'arn:new' });
    expect(await letters()).toEqual([]);
  });

  it.each([
    ['redrive', redriveEvent],
    ['rebuild', (instance: InstanceKey) => rebuildEvent(instance, { rowsOnly: false })],
  ])('uses the current function right after a rollback: %s', async (_, request) => {
    models.respond = () => ({ kind: 'failed', reason: 'broken' });
    await run(good('parked', { transactionid: 'T1' }));
    models.respond = () => undefined;
    await run(good('other', { transactionid: 'T2' }));
    registry.register(registryEntry('counter', { functionArn: 'arn:earlier' }));
    const instance = { model: 'counter', transaction: 'T1' };
    expect(await run(raw(signed(request(instance))))).toEqual([]);
    expect(models.calls.at(-1)).toMatchObject({ functionArn: 'arn:earlier' });
  });

  it('does not park an event without sealing it if a deployment has just added sensitive fields', async () => {
    await run(good('early', { transactionid: 'T1' }));
    registry.register(registryEntry('counter', { sensitive: true }));
    models.respond = () => ({ kind: 'failed', reason: 'broken' });
    expect(await run(good('late', { transactionid: 'T2' }))).toHaveLength(1);
    // This tracker has no data keys.
    expect(logged.failures).toMatchObject([
      { reason: expect.stringMatching(/could not be sealed/) },
    ]);
    expect(await letters()).toEqual([]);
  });

  it('retries with the same function if the registry cannot be read', async () => {
    retry.attempts = 2;
    await run(good('early', { transactionid: 'T1' }));
    registry.database.interfere = () => {
      throw new Error('no registry');
    };
    models.respond = () =>
      models.calls.length < 3 ? { kind: 'failed', reason: 'crashed' } : undefined;
    expect(await clock.runUntil(run(good('late', { transactionid: 'T2' })))).toEqual([]);
    expect(await letters()).toEqual([]);
  });

  it('reads the entry again after a function fails, because the function might have been replaced', async () => {
    models.respond = (_, functionArn) =>
      functionArn.endsWith(':new') ? undefined : { kind: 'failed', reason: 'gone' };
    await run(good('a', { transactionid: 'T1' }));
    registry.register(registryEntry('counter', { functionArn: 'arn:new' }));
    await run(good('b', { transactionid: 'T2' }));
    expect(models.calls.at(-1)).toMatchObject({ functionArn: 'arn:new' });
    expect(await letters()).toMatchObject([{ eventId: 'a', reason: 'gone' }]);
  });
});
