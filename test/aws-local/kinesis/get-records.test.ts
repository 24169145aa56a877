import { GetRecordsCommand, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { describe, expect, it } from 'vitest';
import { startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import { kinesisOf, running } from '../endpoints/support.ts';
import { createStream, firstShard, iterator, putMany, StreamName } from './stream.ts';

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
