import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateStreamCommand,
  DescribeStreamCommand,
  KinesisClient,
  MergeShardsCommand,
  PutRecordsCommand,
  SplitShardCommand,
} from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { KinesisStreamEvent } from 'aws-lambda';
import kinesalite from 'kinesalite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckpointStore } from '../../../src/aws-local/event-source/checkpoints.ts';
import { MemoryCheckpoints } from '../../../src/aws-local/event-source/checkpoints.ts';
import { EventSourceMapping } from '../../../src/aws-local/event-source/event-source-mapping.ts';
import { KinesisReadClient } from '../../../src/aws-local/event-source/kinesis-read-client.ts';
import { KinesisShardReader } from '../../../src/aws-local/event-source/kinesis-shard-reader.ts';
import type { EventSourceProperties } from '../../../src/aws-local/event-source/settings.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { mappingIdentity, onlyShard } from './harness.ts';

const StreamName = 'milepost-events';
const middleHashKey = (2n ** 127n).toString();

let server: Server;
let client: KinesisClient;
let processed: { readonly key: string; readonly data: string }[];
let logged: string[];
let running: EventSourceMapping[];

beforeEach(async () => {
  server = kinesalite({
    createStreamMs: 1,
    updateStreamMs: 1,
    deleteStreamMs: 1,
    shardLimit: 10,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = newClient();
  processed = [];
  logged = [];
  running = [];
  await createStream(1);
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(running.map((source) => source.stop()));
  client.destroy();
  server.close();
});

function endpointUrl(): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function newClient(): KinesisClient {
  return new KinesisClient({
    endpoint: endpointUrl(),
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: new NodeHttpHandler(),
    maxAttempts: 1,
  });
}

async function createStream(ShardCount: number): Promise<void> {
  await client.send(new CreateStreamCommand({ StreamName, ShardCount }));
  await untilActive();
}

async function untilActive(): Promise<void> {
  const status = async () =>
    (await client.send(new DescribeStreamCommand({ StreamName }))).StreamDescription?.StreamStatus;
  while ((await status()) !== 'ACTIVE') await systemClock.sleep(1);
}

async function put(...events: readonly (readonly [key: string, data: string])[]): Promise<void> {
  await client.send(
    new PutRecordsCommand({
      StreamName,
      Records: events.map(([PartitionKey, data]) => ({ PartitionKey, Data: Buffer.from(data) })),
    }),
  );
}

async function split(ShardToSplit: string, NewStartingHashKey: string): Promise<void> {
  await client.send(new SplitShardCommand({ StreamName, ShardToSplit, NewStartingHashKey }));
  await untilActive();
}

async function merge(ShardToMerge: string, AdjacentShardToMerge: string): Promise<void> {
  await client.send(new MergeShardsCommand({ StreamName, ShardToMerge, AdjacentShardToMerge }));
  await untilActive();
}

async function start(
  checkpoints: CheckpointStore = new MemoryCheckpoints(),
  properties: Partial<EventSourceProperties> = {},
  pollIntervalMs = 10,
): Promise<EventSourceMapping> {
  const log = (message: string): void => void logged.push(message);
  const source = new EventSourceMapping({
    mapping: mappingIdentity,
    properties: { StartingPosition: 'TRIM_HORIZON', ParallelizationFactor: 2, ...properties },
    reader: new KinesisShardReader({
      client: new KinesisReadClient(endpointUrl()),
      streamName: StreamName,
      clock: systemClock,
      log,
    }),
    checkpoints,
    log,
    pollIntervalMs,
    backoff: { firstMs: 1, maxMs: 10 },
    invoke: async (event: KinesisStreamEvent) => {
      for (const { kinesis } of event.Records) {
        processed.push({
          key: kinesis.partitionKey,
          data: Buffer.from(kinesis.data, 'base64').toString(),
        });
      }
      return { kind: 'ok', response: null };
    },
  });
  running.push(source);
  await source.start();
  return source;
}

/**
 * Advances the clock of kinesalite, which reports the end of a shard only to an iterator that is newer than the end.
 */
function secondsPass(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
}

function dataOf(key: string): readonly string[] {
  return processed.filter((record) => record.key === key).map(({ data }) => data);
}

const transactionIds = ['ATV-1', 'ATV-2', 'ATV-3', 'ATV-4', 'ATV-5'];

describe('an event source on the embedded kinesalite', () => {
  it('keeps the records of each key in order during a split and a merge', async () => {
    const source = await start();
    await put(...transactionIds.map((key) => [key, '1'] as const));
    await split(onlyShard, middleHashKey);
    await put(...transactionIds.map((key) => [key, '2'] as const));
    await source.waitUntilIdle();
    await merge('shardId-000000000001', 'shardId-000000000002');
    await put(...transactionIds.map((key) => [key, '3'] as const));
    await source.waitUntilIdle();
    for (const key of transactionIds) expect(dataOf(key)).toEqual(['1', '2', '3']);
    expect(logged).toEqual([]);
  });

  it('finds the end of a split shard without waiting for a poll when a put to a child is announced', async () => {
    await put(['ATV-1', '1']);
    const source = await start(new MemoryCheckpoints(), {}, 60_000);
    await vi.waitFor(() => expect(dataOf('ATV-1')).toEqual(['1']));
    secondsPass();
    await split(onlyShard, middleHashKey);
    await put(...transactionIds.map((key) => [key, '2'] as const));
    for (const child of ['shardId-000000000001', 'shardId-000000000002']) source.readNow(child);
    await vi.waitFor(() => {
      for (const key of transactionIds) expect(dataOf(key).at(-1)).toBe('2');
    }, 5000);
  });

  it('finds the end of each shard without waiting for a poll after a restart', async () => {
    const checkpoints = new MemoryCheckpoints();
    await put(['ATV-1', '1']);
    const first = await start(checkpoints);
    await first.waitUntilIdle();
    await first.stop();
    secondsPass();
    await split(onlyShard, middleHashKey);
    await put(['ATV-1', '2']);
    await start(checkpoints, {}, 60_000);
    await vi.waitFor(() => expect(dataOf('ATV-1')).toEqual(['1', '2']), 5000);
  });

  it('reads several generations of shards when it starts', async () => {
    await put(...transactionIds.map((key) => [key, '1'] as const));
    await split(onlyShard, middleHashKey);
    await put(...transactionIds.map((key) => [key, '2'] as const));
    await merge('shardId-000000000001', 'shardId-000000000002');
    await put(...transactionIds.map((key) => [key, '3'] as const));
    const source = await start();
    await source.waitUntilIdle();
    for (const key of transactionIds) expect(dataOf(key)).toEqual(['1', '2', '3']);
  });

  it('resumes at its checkpoint after a restart', async () => {
    const checkpoints = new MemoryCheckpoints();
    const first = await start(checkpoints);
    await put(['ATV-1', '1'], ['ATV-2', '1']);
    await first.waitUntilIdle();
    await first.stop();
    await put(['ATV-1', '2']);
    await split(onlyShard, middleHashKey);
    await put(['ATV-1', '3']);
    const second = await start(checkpoints);
    await second.waitUntilIdle();
    expect(dataOf('ATV-1')).toEqual(['1', '2', '3']);
    expect(dataOf('ATV-2')).toEqual(['1']);
  });

  it('reads only records that are put after its start if the starting position is LATEST', async () => {
    await put(['ATV-1', '1']);
    const source = await start(new MemoryCheckpoints(), { StartingPosition: 'LATEST' });
    await source.waitUntilIdle();
    await put(['ATV-1', '2']);
    await source.waitUntilIdle();
    expect(dataOf('ATV-1')).toEqual(['2']);
  });

  it('reads from TRIM_HORIZON and logs a message if its checkpoint belongs to another stream', async () => {
    const checkpoints = new MemoryCheckpoints();
    const sequenceNumber = '49590338271490256608559692538361571095921575989136588898';
    await checkpoints.save(new Map([[onlyShard, { at: 'AFTER_SEQUENCE_NUMBER', sequenceNumber }]]));
    await put(['ATV-1', '1']);
    const source = await start(checkpoints);
    await source.waitUntilIdle();
    expect(dataOf('ATV-1')).toEqual(['1']);
    expect(logged.join()).toContain('reading continues from TRIM_HORIZON');
  });
});
