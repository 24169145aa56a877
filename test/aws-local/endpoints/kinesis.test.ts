import { glob, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateStreamCommand,
  DeleteStreamCommand,
  DescribeStreamSummaryCommand,
  MergeShardsCommand,
  PutRecordCommand,
  SplitShardCommand,
} from '@aws-sdk/client-kinesis';
import db from 'kinesalite/db/index.js';
import { describe, expect, it, vi } from 'vitest';
import { startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import {
  active,
  createStream,
  firstShard,
  iterator,
  putMany,
  read,
  readAll,
  StreamName,
  shards,
} from '../kinesis/stream.ts';
import { kill, kinesisOf, running, temporaryFolder } from './support.ts';

const wordsFor = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

describe('the Kinesis endpoint', () => {
  it('announces a burst of puts, and a single put after the burst', async () => {
    const endpoint = await running(startKinesis({ port: 0, dataFolder: null }));
    const client = kinesisOf(endpoint);
    await createStream(client, 1);
    let told = 0;
    endpoint.onPut(() => {
      told += 1;
    });
    expect(await shards(client)).toHaveLength(1);
    expect(told).toBe(0);
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((word) => putMany(client, [word])));
    await vi.waitFor(() => expect(told).toBeGreaterThan(1), 10_000);
    const before = told;
    await client.send(new PutRecordCommand({ StreamName, PartitionKey: 'f', Data: Buffer.of(1) }));
    await vi.waitFor(() => expect(told).toBeGreaterThan(before), 10_000);
  });

  it('announces the stream and each shard with new records', async () => {
    const endpoint = await running(startKinesis({ port: 0, dataFolder: null }));
    const client = kinesisOf(endpoint);
    await createStream(client, 2);
    const told = new Set<string>();
    endpoint.onPut((...announced) => void told.add(announced.join(' ')));
    await putMany(client, ['a']);
    await vi.waitFor(() => expect(told.size).toBe(1), 10_000);
    await putMany(client, wordsFor('word', 20));
    await vi.waitFor(() => expect(told.size).toBe(2), 10_000);
    const ids = (await shards(client)).map(({ ShardId }) => `${StreamName} ${ShardId}`);
    expect([...told].toSorted()).toEqual(ids);
  });

  it('describes the current state of a stream after each change', async () => {
    const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder: null })));
    await createStream(client, 1);
    const describe = () => client.send(new DescribeStreamSummaryCommand({ StreamName }));
    expect((await describe()).StreamDescriptionSummary?.OpenShardCount).toBe(1);
    await client.send(
      new SplitShardCommand({
        StreamName,
        ShardToSplit: 'shardId-000000000000',
        NewStartingHashKey: `${2n ** 127n}`,
      }),
    );
    await active(client);
    expect((await describe()).StreamDescriptionSummary?.OpenShardCount).toBe(2);
    await client.send(new DeleteStreamCommand({ StreamName }));
    await vi.waitFor(() => expect(describe()).rejects.toThrow('not found'), 10_000);
    await createStream(client, 3);
    expect((await describe()).StreamDescriptionSummary?.OpenShardCount).toBe(3);
  });

  it('keeps the order of a shard and resumes after a sequence number', async () => {
    const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder: null })));
    await createStream(client, 1);
    const words = wordsFor('word', 20);
    for (const word of words) {
      const record = { PartitionKey: word, Data: Buffer.from(word) };
      await client.send(new PutRecordCommand({ StreamName, ...record }));
    }

    const from = await iterator(client, 'shardId-000000000000');
    const all = await read(client, from);
    const rest = await read(
      client,
      await iterator(client, 'shardId-000000000000', all.sequence[11]),
    );

    expect(all).toMatchObject({ words, closed: false });
    expect(rest.words).toEqual(words.slice(12));
  });

  it('splits and merges shards and closes a parent after its last record', async () => {
    const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder: null })));
    await createStream(client, 1);
    await putMany(client, wordsFor('first', 30));
    await client.send(
      new SplitShardCommand({
        StreamName,
        ShardToSplit: 'shardId-000000000000',
        NewStartingHashKey: `${2n ** 127n}`,
      }),
    );
    await active(client);
    await putMany(client, wordsFor('second', 30));
    await client.send(
      new MergeShardsCommand({
        StreamName,
        ShardToMerge: 'shardId-000000000001',
        AdjacentShardToMerge: 'shardId-000000000002',
      }),
    );
    await active(client);
    await putMany(client, wordsFor('third', 30));

    const found = await Promise.all(
      (await shards(client)).map(async ({ ShardId }) =>
        read(client, await iterator(client, ShardId ?? '')),
      ),
    );

    expect(found.map(({ closed }) => closed)).toEqual([true, true, true, false]);
    expect(found[0]?.words.toSorted()).toEqual(wordsFor('first', 30).toSorted());
    expect([...(found[1]?.words ?? []), ...(found[2]?.words ?? [])].toSorted()).toEqual(
      wordsFor('second', 30).toSorted(),
    );
    expect(found[3]?.words.toSorted()).toEqual(wordsFor('third', 30).toSorted());
  });

  it('keeps acknowledged records after a restart', async () => {
    const dataFolder = await temporaryFolder();
    const before = await startKinesis({ port: 0, dataFolder });
    await createStream(kinesisOf(before), 3);
    await putMany(kinesisOf(before), wordsFor('word', 100));
    await before.close();

    const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder })));
    await active(client);
    expect(await readAll(client)).toEqual(wordsFor('word', 100).toSorted());
  });

  it('keeps acknowledged records without duplicates after kill -9, and adds new records after them', async () => {
    const dataFolder = await temporaryFolder();
    const before = await startKinesis({ port: 0, dataFolder });
    const client = kinesisOf(before);
    await createStream(client, 1);
    const acknowledged: string[] = [];
    const lane = async (name: string) => {
      for (let n = 0; ; n += 1) {
        const words = wordsFor(`${name}-${n}`, 5);
        await putMany(client, words);
        acknowledged.push(...words);
      }
    };
    const lanes = Promise.allSettled(wordsFor('lane', 8).map(lane));
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(200), 10_000);
    await kill(before);
    await lanes;

    const again = kinesisOf(await running(startKinesis({ port: 0, dataFolder })));
    await active(again);
    const from = await iterator(again, 'shardId-000000000000');
    const kept = await read(again, from);
    expect(new Set(kept.words).size).toBe(kept.words.length);
    expect(kept.words).toEqual(expect.arrayContaining(acknowledged));

    const last = kept.sequence.at(-1);
    await putMany(again, ['after']);
    const position = await iterator(again, 'shardId-000000000000', last);
    const rest = await read(again, position);
    expect(rest.words).toEqual(['after']);
    expect(BigInt(rest.sequence[0] ?? 0)).toBeGreaterThan(BigInt(last ?? 0));
  });

  it('adds new records after the checkpoints of readers even if a power failure removes the latest records', async () => {
    // Given a reader whose checkpoint is after the latest record
    const dataFolder = await temporaryFolder();
    const before = await startKinesis({ port: 0, dataFolder });
    const client = kinesisOf(before);
    await createStream(client, 1);
    await putMany(client, ['kept']);
    const [log] = await Array.fromAsync(glob(join(dataFolder, 'kinesis', '*.log')));
    const { size } = await stat(log!);
    await putMany(client, wordsFor('lost', 100));
    const { sequence } = await read(client, await iterator(client, firstShard));
    await kill(before);

    // When the latest records are missing after a power failure, because the log was not synced
    await truncate(log!, size);
    const again = kinesisOf(await running(startKinesis({ port: 0, dataFolder })));
    await active(again);
    expect(await readAll(again)).toEqual(['kept']);
    await putMany(again, ['new']);

    // Then the reader receives the new record
    const position = await iterator(again, firstShard, sequence.at(-1));
    expect((await read(again, position)).words).toEqual(['new']);
  });

  it('reverts a stream change that kill -9 interrupted', async () => {
    const dataFolder = await temporaryFolder();
    const before = await startKinesis({ port: 0, dataFolder });
    await createStream(kinesisOf(before), 1);
    await before.close();
    const { db: database, metaDb } = db.create({ path: `${dataFolder}/kinesis` });
    for await (const stream of metaDb.createValueStream()) {
      await metaDb.put(stream.StreamName, { ...stream, StreamStatus: 'UPDATING' });
      await metaDb.put('unborn', { ...stream, StreamName: 'unborn', StreamStatus: 'CREATING' });
    }
    await database.close();

    const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder })));
    await active(client);
    const { $metadata } = await client.send(
      new CreateStreamCommand({ StreamName: 'unborn', ShardCount: 1 }),
    );
    expect($metadata.httpStatusCode).toBe(200);
  });
});
