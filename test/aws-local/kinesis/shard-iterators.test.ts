import {
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  PutRecordCommand,
  type ShardIteratorType,
} from '@aws-sdk/client-kinesis';
import db from 'kinesalite/db/index.js';
import { describe, expect, it, vi } from 'vitest';
import { startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import { kinesisOf, running } from '../endpoints/support.ts';
import { createStream, putMany, read, StreamName } from './stream.ts';

describe('shard iterators of the Kinesis endpoint', () => {
  it('precede the first record of an empty shard, because its index is greater than 0', async () => {
    const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder: null })));
    await createStream(client, 1);
    const { SequenceNumber = '' } = await client.send(
      new PutRecordCommand({ StreamName, PartitionKey: 'a', Data: Buffer.of(1) }),
    );
    // An iterator for an empty shard has the index 0 and the time of the read. Positions are ordered by index first.
    expect(Number(db.parseSequence(SequenceNumber).seqIx)).toBeGreaterThan(0);
  });

  it.each<[string, Partial<GetShardIteratorCommandInput>]>([
    ['LATEST', {}],
    ['TRIM_HORIZON', {}],
    ['AT_TIMESTAMP', { Timestamp: new Date() }],
  ])('read an empty shard from %s, and then its first record', async (type, options) => {
    const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder: null })));
    await createStream(client, 1);
    const shard = { StreamName, ShardId: 'shardId-000000000000' };
    const { ShardIterator = '' } = await client.send(
      new GetShardIteratorCommand({
        ...shard,
        ShardIteratorType: type as ShardIteratorType,
        ...options,
      }),
    );
    expect(await read(client, ShardIterator)).toMatchObject({ words: [], closed: false });
    await putMany(client, ['first']);
    expect(await read(client, ShardIterator)).toMatchObject({ words: ['first'] });
  });

  it('read a shard from a given time, and are rejected for a future time or a stream that does not exist', async () => {
    const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder: null })));
    await createStream(client, 1);
    const shard = { StreamName, ShardId: 'shardId-000000000000' };
    const at = (milliseconds: number) =>
      client.send(
        new GetShardIteratorCommand({
          ...shard,
          ShardIteratorType: 'AT_TIMESTAMP',
          Timestamp: new Date(milliseconds),
        }),
      );
    const wordsSince = async (time: number) =>
      (await read(client, (await at(time)).ShardIterator ?? '')).words;
    const start = Date.now();
    await putMany(client, ['before']);
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(start + 5));
    const between = Date.now();
    await putMany(client, ['after']);
    expect(await wordsSince(start - 1000)).toEqual(['before', 'after']);
    expect(await wordsSince(between)).toEqual(['after']);
    await expect(at(Date.now() + 60_000)).rejects.toThrow('cannot be greater than');
    await expect(
      client.send(
        new GetShardIteratorCommand({
          ...shard,
          StreamName: 'missing',
          ShardIteratorType: 'AT_TIMESTAMP',
          Timestamp: new Date(start),
        }),
      ),
    ).rejects.toThrow('does not exist');
  });
});
