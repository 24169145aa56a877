import db from 'kinesalite/db/index.js';
import { describe, expect, it } from 'vitest';
import { startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import { millisSkipped } from '../../../src/aws-local/kinesis/expired-records.ts';
import { kinesisOf, running, temporaryFolder } from '../endpoints/support.ts';
import { createStream, firstShard, iterator, putMany, read, StreamName } from './stream.ts';

const hourMs = 3_600_000;
const shardCreateTime = Date.now() - 100 * hourMs;
const sequenceNumber = (seqIx: number, seqTime: number) =>
  db.stringifySequence({ shardCreateTime, shardIx: 0, seqIx, seqTime });
const iteratorAt = (seqIx: number, seqTime = Date.now()) =>
  db.createShardIterator(StreamName, firstShard, sequenceNumber(seqIx, seqTime));

describe('an empty page of records', () => {
  it('is behind the latest record if it skipped expired records', () => {
    const after = iteratorAt(10_000, Date.now() - 25 * hourMs);
    expect(millisSkipped(iteratorAt(1), after)).toBeGreaterThan(24 * hourMs);
  });

  it('is at the latest record if only the time of the iterator changed', () => {
    expect(millisSkipped(iteratorAt(5, Date.now() - hourMs), iteratorAt(5))).toBe(0);
  });
});

describe('expired records', () => {
  it('are deleted when the endpoint starts', async () => {
    const dataFolder = await temporaryFolder();
    const before = await startKinesis({ port: 0, dataFolder });
    await createStream(kinesisOf(before), 1);
    await putMany(kinesisOf(before), ['fresh']);
    await before.close();
    const keys = async (change?: (stream: ReturnType<typeof streamOf>) => Promise<unknown>) => {
      const store = db.create({ path: `${dataFolder}/kinesis` });
      const stream = streamOf(store);
      await change?.(stream);
      const found = await Array.fromAsync(stream.createKeyStream({ gte: '0', lt: 'g' }));
      await store.db.close();
      return found;
    };
    const streamOf = (store: ReturnType<typeof db.create>) => store.getStreamDb(StreamName);
    const old = `${db.shardIxToHex(0)}/${sequenceNumber(0, Date.now() - 25 * hourMs)}`;
    const value = { PartitionKey: 'a', Data: '', ApproximateArrivalTimestamp: 1 };
    expect(await keys((stream) => stream.put(old, value))).toHaveLength(2);

    const after = await running(startKinesis({ port: 0, dataFolder }));
    const client = kinesisOf(after);
    expect((await read(client, await iterator(client, firstShard))).words).toEqual(['fresh']);
    await after.close();
    expect(await keys()).toHaveLength(1);
  });
});
