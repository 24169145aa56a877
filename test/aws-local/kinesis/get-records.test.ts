import { once } from 'node:events';
import { GetRecordsCommand, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import db from 'kinesalite/db/index.js';
import { describe, expect, it } from 'vitest';
import { startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import { getRecords } from '../../../src/aws-local/kinesis/get-records.ts';
import type { ListedShard } from '../../../src/aws-local/kinesis/shard-filter.ts';
import { kinesisOf, running, temporaryFolder } from '../endpoints/support.ts';
import { createStream, firstShard, iterator, putMany, read, StreamName } from './stream.ts';

const mebibyte = 1024 * 1024;

async function clientOfStream() {
  const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder: null })));
  await createStream(client, 1);
  return client;
}

describe('a page of records', () => {
  it('is behind the latest record until it contains the last record', async () => {
    const client = await clientOfStream();
    await putMany(client, ['a', 'b', 'c', 'd']);
    const first = await client.send(
      new GetRecordsCommand({ ShardIterator: await iterator(client, firstShard), Limit: 2 }),
    );
    expect(first.Records).toHaveLength(2);
    expect(first.MillisBehindLatest).toBeGreaterThan(0);
    const last = await client.send(
      new GetRecordsCommand({ ShardIterator: first.NextShardIterator, Limit: 2 }),
    );
    expect(last).toMatchObject({ MillisBehindLatest: 0, Records: [{}, {}] });
  });

  it('contains at most 10 MiB of data and partition keys', async () => {
    const client = await clientOfStream();
    for (const PartitionKey of ['a', 'b']) {
      const Records = Array.from({ length: 8 }, () => ({
        PartitionKey,
        Data: Buffer.alloc(mebibyte),
      }));
      await client.send(new PutRecordsCommand({ StreamName, Records }));
    }
    const first = await client.send(
      new GetRecordsCommand({ ShardIterator: await iterator(client, firstShard) }),
    );
    expect(first.Records).toHaveLength(9);
    expect(first.MillisBehindLatest).toBeGreaterThan(0);
    const last = await client.send(
      new GetRecordsCommand({ ShardIterator: first.NextShardIterator }),
    );
    expect(last.Records).toHaveLength(7);
    expect(last.MillisBehindLatest).toBe(0);
  });
});

describe('MillisBehindLatest', () => {
  const shardCreateTime = Date.now() - 100 * 3_600_000;
  const iteratorAt = (seqIx: number, seqTime = Date.now()) =>
    db.createShardIterator(
      StreamName,
      firstShard,
      db.stringifySequence({ shardCreateTime, shardIx: 0, seqIx, seqTime }),
    );
  /** Returns `MillisBehindLatest` for the first of the given pages. Each page ends at the iterator of the next page. */
  const behind = async (ShardIterator: string, ...pages: object[]) => {
    const { body } = await getRecords(
      async () => ({
        status: 200,
        headers: {},
        body: JSON.stringify({ MillisBehindLatest: 0, ...pages.shift() }),
      }),
      { ShardIterator },
    );
    return (JSON.parse(body) as { MillisBehindLatest: number }).MillisBehindLatest;
  };
  const record = (Data: string, PartitionKey: string) => ({
    SequenceNumber: '1'.repeat(56),
    ApproximateArrivalTimestamp: Date.now() / 1_000 - 60,
    PartitionKey,
    Data,
  });
  const small = record('', 'a');

  it('is positive if long partition keys fill the page', async () => {
    const long = record(Buffer.alloc(290).toString('base64'), '€'.repeat(256));
    const first = { Records: Array(9_910).fill(long), NextShardIterator: iteratorAt(9_910) };
    const next = { Records: [small], NextShardIterator: iteratorAt(9_911) };
    expect(await behind(iteratorAt(1), first, next)).toBeGreaterThan(0);
  });

  it('is positive if expired records fill the page', async () => {
    const first = { Records: [small], NextShardIterator: iteratorAt(10) };
    const next = { Records: [small], NextShardIterator: iteratorAt(11) };
    expect(await behind(iteratorAt(1, shardCreateTime), first, next)).toBeGreaterThan(0);
  });

  it('is positive if the next record has expired, because other records can follow', async () => {
    const first = { Records: [small], NextShardIterator: iteratorAt(2) };
    const next = { Records: [], NextShardIterator: iteratorAt(3) };
    expect(await behind(iteratorAt(1, shardCreateTime), first, next)).toBeGreaterThan(0);
  });
});

describe('a closed shard', () => {
  it('ends after its last record even if the clock was set back after the shard was closed', async () => {
    const dataFolder = await temporaryFolder();
    const before = await startKinesis({ port: 0, dataFolder });
    await createStream(kinesisOf(before), 1);
    await putMany(kinesisOf(before), ['last']);
    await before.close();
    const store = db.create({ path: `${dataFolder}/kinesis` });
    await once(store.db, 'open');
    for await (const stream of store.metaDb.createValueStream()) {
      const [shard] = stream.Shards as ListedShard[];
      const { StartingSequenceNumber } = shard!.SequenceNumberRange;
      const { shardCreateTime } = db.parseSequence(StartingSequenceNumber);
      const inAnHour = { shardCreateTime, shardIx: 0, seqIx: 9, seqTime: Date.now() + 3_600_000 };
      const EndingSequenceNumber = db.stringifySequence(inAnHour);
      const SequenceNumberRange = { StartingSequenceNumber, EndingSequenceNumber };
      const Shards = [{ ...shard, SequenceNumberRange }];
      await store.metaDb.put(stream.StreamName, { ...stream, Shards });
    }
    await store.db.close();

    const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder })));
    const found = await read(client, await iterator(client, firstShard));
    expect(found).toMatchObject({ words: ['last'], closed: true });
  });
});
