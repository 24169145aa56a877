import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Maintenance } from '../../../src/aws-local/endpoints/endpoint.ts';
import {
  type CheckpointStore,
  MemoryCheckpoints,
} from '../../../src/aws-local/event-source/checkpoints.ts';
import { dynamoDbFormat } from '../../../src/aws-local/event-source/dynamodb-event.ts';
import { DynamoDbShardReader } from '../../../src/aws-local/event-source/dynamodb-shard-reader.ts';
import { EventSourceMapping } from '../../../src/aws-local/event-source/event-source-mapping.ts';
import type { InvocationRecord } from '../../../src/aws-local/event-source/on-failure-destination.ts';
import type { EventSourceProperties } from '../../../src/aws-local/event-source/settings.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { createTable, type Item, startDatabase } from '../endpoints/streams/support.ts';
import { failedItems, mappingIdentity } from './harness.ts';

const TableName = 'orders';
const key = (pk: string): Item => ({ pk: { S: pk }, sk: { S: 's' } });

/** Returns the key and the new value of a change, such as `a1`. The value of a deletion is `-`. */
const textOf = ({ dynamodb }: DynamoDBRecord) =>
  `${dynamodb?.Keys?.['pk']?.S}${dynamodb?.NewImage?.['value']?.S ?? '-'}`;

const wholeSeconds = () => Math.floor(Date.now() / 1_000);

/** A table with a stream, and a function that receives the table's changes through event source mappings. */
class World {
  readonly client: DynamoDBClient;
  readonly checkpoints: CheckpointStore = new MemoryCheckpoints();
  readonly batches: DynamoDBRecord[][] = [];
  readonly events: DynamoDBStreamEvent[] = [];
  readonly discarded: InvocationRecord[] = [];
  /** The code of the function. A thrown error is a function error. */
  handler: (batch: readonly DynamoDBRecord[]) => unknown = () => null;
  readonly arn: string;
  readonly #onPut: (listener: () => void) => void;
  readonly #streams;

  private constructor(database: Awaited<ReturnType<typeof startDatabase>>, arn: string) {
    this.client = database.client;
    this.#streams = database.streams;
    this.#onPut = database.endpoint.onPut;
    this.arn = arn;
  }

  static async create(maintenance?: Maintenance): Promise<World> {
    const database = await startDatabase(maintenance);
    return new World(database, await createTable(database.client, TableName, 'NEW_AND_OLD_IMAGES'));
  }

  /** The changes that the function has received, in order. */
  get received(): readonly string[] {
    return this.batches.flat().map(textOf);
  }

  async shardCount(): Promise<number> {
    return (await this.#streams.describeStream({ StreamArn: this.arn })).Shards.length;
  }

  async put(pk: string, value: string): Promise<void> {
    const Item = { ...key(pk), value: { S: value } };
    await this.client.send(new PutItemCommand({ TableName, Item }));
  }

  async delete(pk: string): Promise<void> {
    await this.client.send(new DeleteItemCommand({ TableName, Key: key(pk) }));
  }

  async start(
    properties: Partial<EventSourceProperties> = {},
    pollIntervalMs = 10,
  ): Promise<EventSourceMapping> {
    const log = () => {};
    const mapping = new EventSourceMapping({
      mapping: { ...mappingIdentity, streamArn: this.arn },
      properties: {
        StartingPosition: 'TRIM_HORIZON',
        DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::discarded' } },
        ...properties,
      },
      reader: new DynamoDbShardReader({
        client: this.#streams,
        streamArn: this.arn,
        clock: systemClock,
        log,
      }),
      format: dynamoDbFormat,
      invoke: async (event: DynamoDBStreamEvent) => {
        this.events.push(event);
        this.batches.push(event.Records);
        try {
          return { kind: 'ok', response: await this.handler(event.Records) };
        } catch (error) {
          return { kind: 'functionError', functionError: 'Unhandled', message: String(error) };
        }
      },
      checkpoints: this.checkpoints,
      destination: { deliver: async (record) => void this.discarded.push(record) },
      log,
      pollIntervalMs,
      backoff: { firstMs: 1, maxMs: 10 },
      discoveryIntervalMs: 50,
    });
    await mapping.start();
    onTestFinished(() => mapping.stop());
    this.#onPut(() => mapping.readNow());
    return mapping;
  }

  /** Runs an event source mapping until all changes are processed. */
  async run(properties: Partial<EventSourceProperties> = {}): Promise<void> {
    const mapping = await this.start(properties);
    await mapping.waitUntilIdle();
    await mapping.stop();
  }
}

describe('an event source mapping on the stream of a table', () => {
  it('invokes the function with events in the format of Lambda', async () => {
    const world = await World.create();
    await world.put('a', '1');
    await world.run();
    expect(world.batches).toEqual([
      [
        {
          eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
          eventName: 'INSERT',
          eventVersion: '1.1',
          eventSource: 'aws:dynamodb',
          awsRegion: 'us-east-1',
          eventSourceARN: world.arn,
          dynamodb: {
            ApproximateCreationDateTime: expect.any(Number),
            Keys: key('a'),
            NewImage: { ...key('a'), value: { S: '1' } },
            SequenceNumber: expect.stringMatching(/^\d+$/),
            SizeBytes: 18,
            StreamViewType: 'NEW_AND_OLD_IMAGES',
          },
        },
      ],
    ]);
  });

  it.each([1, 10])(
    'keeps the order of the changes to an item with a parallelization factor of %i',
    async (ParallelizationFactor) => {
      const world = await World.create();
      const running = new Set<string>();
      const overlapping: string[] = [];
      world.handler = async (batch) => {
        const keys = new Set(batch.map(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S ?? ''));
        for (const pk of keys) if (running.has(pk)) overlapping.push(pk);
        for (const pk of keys) running.add(pk);
        await systemClock.sleep(5);
        for (const pk of keys) running.delete(pk);
      };
      const mapping = await world.start({ ParallelizationFactor, BatchSize: 3 });
      const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
      for (let n = 0; n < 8; n += 1) for (const pk of keys) await world.put(pk, `${n}`);
      for (const pk of keys) await world.delete(pk);
      await mapping.waitUntilIdle();
      expect(overlapping).toEqual([]);
      for (const pk of keys) {
        const ofKey = world.received.filter((change) => change.startsWith(pk));
        expect(ofKey.join('')).toBe(`${pk}0${pk}1${pk}2${pk}3${pk}4${pk}5${pk}6${pk}7${pk}-`);
      }
    },
  );

  it('passes the shard id in the events of a tumbling window, and retries a response without a state', async () => {
    const world = await World.create();
    await world.put('a', '1');
    world.handler = () => (world.events.length === 1 ? {} : { state: {} });
    const mapping = await world.start({ TumblingWindowInSeconds: 60 });
    await mapping.waitUntilIdle();
    expect(world.received).toEqual(['a1', 'a1']);
    expect(world.events[1]).toMatchObject({
      shardId: expect.stringMatching(/^shardId-/),
      eventSourceARN: world.arn,
      state: {},
      isFinalInvokeForWindow: false,
      window: { start: expect.stringMatching(/:00\.000Z$/) },
    });
  });

  it('retries a batch starting at its failed item and skips no changes', async () => {
    const world = await World.create();
    for (const value of ['1', '2', '3']) await world.put('a', value);
    let failures = 0;
    world.handler = (batch) => {
      const second = batch.find((record) => textOf(record) === 'a2');
      if (second === undefined || failures === 2) return null;
      failures += 1;
      return failedItems(second.dynamodb?.SequenceNumber);
    };
    await world.run({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
    expect(world.batches.map((batch) => batch.map(textOf).join(' '))).toEqual([
      'a1 a2 a3',
      'a2 a3',
      'a2 a3',
    ]);
  });

  it('bisects a failing batch and sends only the faulty change to the on-failure destination', async () => {
    const world = await World.create();
    for (const value of ['1', '2', '3', '4']) await world.put('a', value);
    world.handler = (batch) => {
      if (batch.some((record) => textOf(record) === 'a3')) throw new Error('cannot process a3');
    };
    await world.run({ BisectBatchOnFunctionError: true, MaximumRetryAttempts: 2 });
    const [discarded, ...others] = world.discarded;
    expect(others).toEqual([]);
    const { Records } = discarded!.payload as DynamoDBStreamEvent;
    expect(Records.map(textOf)).toEqual(['a3']);
    expect(discarded).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted' },
      DDBStreamBatchInfo: {
        batchSize: 1,
        streamArn: world.arn,
        startSequenceNumber: Records[0]?.dynamodb?.SequenceNumber,
      },
    });
    expect(discarded).not.toHaveProperty('KinesisBatchInfo');
    expect(world.received.at(-1)).toBe('a4');
  });

  it('invokes the function only with changes that match a filter', async () => {
    const world = await World.create();
    for (const pk of ['commit-1', 'status-1', 'commit-2']) await world.put(pk, 'x');
    await world.put('commit-1', 'y');
    await world.delete('status-1');
    const pattern = (eventName: string, prefix: string) =>
      JSON.stringify({ eventName: [eventName], dynamodb: { Keys: { pk: { S: [{ prefix }] } } } });
    const Filters = [
      { Pattern: pattern('INSERT', 'commit-') },
      { Pattern: pattern('REMOVE', 'status-') },
    ];
    await world.run({ FilterCriteria: { Filters } });
    expect(world.received.toSorted()).toEqual(['commit-1x', 'commit-2x', 'status-1-']);

    await world.run();
    // The checkpoints include the changes that match no filter, so these changes are not read again.
    expect(world.received).toHaveLength(3);
  });

  it('continues after its checkpoints when it restarts', async () => {
    const world = await World.create();
    await world.put('a', '1');
    await world.run();
    await world.put('a', '2');
    await world.put('b', '1');
    await world.run();
    expect(world.received.toSorted()).toEqual(['a1', 'a2', 'b1']);
  });

  it('starts with the next change if the starting position is LATEST', async () => {
    const world = await World.create();
    await world.put('old', '1');
    // Wait for the next second, because records contain their time in whole seconds.
    const written = wholeSeconds();
    await vi.waitFor(() => expect(wholeSeconds()).toBeGreaterThan(written), 10_000);
    const mapping = await world.start({ StartingPosition: 'LATEST' });
    await mapping.waitUntilIdle();
    await world.put('new', '1');
    await mapping.waitUntilIdle();
    await mapping.stop();
    expect(world.received).toEqual(['new1']);
    await world.put('after', '1');
    await world.run({ StartingPosition: 'LATEST' });
    expect(world.received).toEqual(['new1', 'after1']);
  });

  it('reads child shards after their parents, in order', async () => {
    const world = await World.create({ intervalMs: 10, shardLifetimeMs: 100 });
    const put: string[] = [];
    // The function is slow so that changes of a parent remain when its child shards appear.
    world.handler = () => systemClock.sleep(10);
    const mapping = await world.start({ BatchSize: 2, ParallelizationFactor: 2 });
    for (let n = 0; (await world.shardCount()) < 8; n += 1) {
      await world.put('a', `${n}`);
      put.push(`a${n}`);
    }
    await mapping.waitUntilIdle();
    expect(world.received).toEqual(put);
  });

  it('processes a change without waiting for the next poll', async () => {
    const world = await World.create();
    const mapping = await world.start({}, 60_000);
    await mapping.waitUntilIdle();
    await world.put('a', '1');
    // The limit is shorter than the poll interval.
    await vi.waitFor(() => expect(world.received).toEqual(['a1']), 10_000);
  });

  it('passes the function the identity of the service that deleted an expired item', () => {
    const change = { dynamodb: {}, userIdentity: { PrincipalId: 'p', Type: 'Service' } };
    const data = Buffer.from(JSON.stringify(change));
    const record = { sequenceNumber: '1', partitionKey: 'a', data, arrivedAt: 0 };
    const { Records } = dynamoDbFormat.event([record], 'shard', mappingIdentity);
    expect(Records).toEqual([
      {
        dynamodb: {},
        userIdentity: { principalId: 'p', type: 'Service' },
        eventSourceARN: mappingIdentity.streamArn,
      },
    ]);
    const bytes = dynamoDbFormat.recordBytes(record, 'shard', mappingIdentity);
    expect(bytes).toBe(JSON.stringify(Records[0]).length + 1);
  });

  it.each([
    [
      'the starting position AT_TIMESTAMP',
      { StartingPosition: 'AT_TIMESTAMP', StartingPositionTimestamp: 1 },
      /StartingPosition: /,
    ],
    [
      'a filter pattern that is not JSON',
      { FilterCriteria: { Filters: [{ Pattern: '{' }] } },
      /FilterCriteria: .*must be JSON/,
    ],
    [
      'a filter pattern with an unknown operator',
      { FilterCriteria: { Filters: [{ Pattern: '{"a":[{"nope":1}]}' }] } },
      /FilterCriteria: /,
    ],
    [
      'more than ten filters',
      {
        FilterCriteria: { Filters: Array.from({ length: 11 }, () => ({ Pattern: '{"a":["b"]}' })) },
      },
      /at most 10 filters; got 11/,
    ],
  ] as const)('rejects %s', async (_, properties, message) => {
    const world = await World.create();
    await expect(
      world.start(properties as unknown as Partial<EventSourceProperties>),
    ).rejects.toThrow(message);
  });
});
