import {
  CreateStreamCommand,
  DescribeStreamCommand,
  type KinesisClient,
  ListShardsCommand,
  type ListShardsCommandInput,
  ListStreamsCommand,
  SplitShardCommand,
} from '@aws-sdk/client-kinesis';
import db from 'kinesalite/db/index.js';
import { describe, expect, it } from 'vitest';
import { startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import { listShards } from '../../../src/aws-local/kinesis/list-shards.ts';
import { filterShards } from '../../../src/aws-local/kinesis/shard-filter.ts';
import { kinesisOf, running } from '../endpoints/support.ts';
import { active, createStream, firstShard, StreamName } from './stream.ts';

const shardIds = (count: number) =>
  Array.from({ length: count }, (_, n) => `shardId-${String(n).padStart(12, '0')}`);

async function clientOfStream(shardCount: number): Promise<KinesisClient> {
  const client = kinesisOf(await running(startKinesis({ port: 0, dataFolder: null })));
  await createStream(client, shardCount);
  return client;
}

const list = (client: KinesisClient, input: ListShardsCommandInput) =>
  client.send(new ListShardsCommand(input));

const listed = async (client: KinesisClient, input: Omit<ListShardsCommandInput, 'StreamName'>) =>
  (await list(client, { StreamName, ...input })).Shards?.map(({ ShardId }) => ShardId);

async function split(client: KinesisClient): Promise<void> {
  const half = { ShardToSplit: firstShard, NewStartingHashKey: `${2n ** 127n}` };
  await client.send(new SplitShardCommand({ StreamName, ...half }));
  await active(client);
}

describe('ListShards', () => {
  it('lists all shards in pages of MaxResults', async () => {
    const client = await clientOfStream(5);
    const pages: (string | undefined)[][] = [];
    let request: ListShardsCommandInput = { StreamName };
    for (;;) {
      const { Shards = [], NextToken } = await list(client, { ...request, MaxResults: 2 });
      pages.push(Shards.map(({ ShardId }) => ShardId));
      if (NextToken === undefined) break;
      request = { NextToken };
    }
    const ids = shardIds(5);
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  it('lists at most 1,000 shards per page, by default and with a larger MaxResults', async () => {
    const client = await clientOfStream(1_001);
    for (const MaxResults of [undefined, 10_000]) {
      const { Shards, NextToken } = await list(client, { StreamName, MaxResults });
      expect(Shards).toHaveLength(1_000);
      expect((await list(client, { NextToken })).Shards).toHaveLength(1);
    }
  });

  it('lists the shards that match a filter', async () => {
    const client = await clientOfStream(1);
    await split(client);
    const [parent, ...children] = shardIds(3);
    const filtered = (ShardFilter: ListShardsCommandInput['ShardFilter']) =>
      listed(client, { ShardFilter });
    expect(await listed(client, {})).toEqual(shardIds(3));
    expect(await filtered({ Type: 'AT_LATEST' })).toEqual(children);
    expect(await filtered({ Type: 'AT_TRIM_HORIZON' })).toEqual([parent]);
    expect(await filtered({ Type: 'FROM_TRIM_HORIZON' })).toEqual(shardIds(3));
    expect(await filtered({ Type: 'AFTER_SHARD_ID', ShardId: parent })).toEqual(children);
    const past = new Date(0);
    expect(await filtered({ Type: 'FROM_TIMESTAMP', Timestamp: past })).toEqual(shardIds(3));
    expect(await filtered({ Type: 'AT_TIMESTAMP', Timestamp: past })).toEqual([]);
    const later = new Date(Date.now() + 60_000);
    expect(await filtered({ Type: 'FROM_TIMESTAMP', Timestamp: later })).toEqual(children);
    expect(await filtered({ Type: 'AT_TIMESTAMP', Timestamp: later })).toEqual(children);
  });

  it('lists a shard that was closed after the clock was set back, until its retention period is over', () => {
    const created = Date.parse('2026-01-31T10:00:00Z');
    const sequence = (seqTime: number) =>
      db.stringifySequence({ shardCreateTime: created, shardIx: 0, seqIx: '0', seqTime });
    const closed = {
      ShardId: firstShard,
      SequenceNumberRange: {
        StartingSequenceNumber: sequence(created),
        EndingSequenceNumber: sequence(created - 20 * 60_000),
      },
    };
    const stream = { RetentionPeriodHours: 24, StreamCreationTimestamp: created / 1_000 };
    const filter = { Type: 'FROM_TRIM_HORIZON' } as const;
    const at = (hours: number) =>
      filterShards([closed], filter, stream, created + hours * 3_600_000);
    expect(at(0)).toEqual([closed]);
    expect(at(23)).toEqual([closed]);
    expect(at(25)).toEqual([]);
  });

  it('keeps the filter on later pages', async () => {
    const client = await clientOfStream(1);
    await split(client);
    const { NextToken } = await list(client, {
      StreamName,
      MaxResults: 1,
      ShardFilter: { Type: 'AT_LATEST' },
    });
    const { Shards } = await list(client, { NextToken });
    expect(Shards).toMatchObject([{ ShardId: 'shardId-000000000002' }]);
  });

  it.each<[string, ListShardsCommandInput, string, RegExp]>([
    [
      'a token together with a stream',
      { StreamName, NextToken: 'e30' },
      'InvalidArgumentException',
      /^NextToken and StreamName cannot be provided together/,
    ],
    [
      'a token that the endpoint did not return',
      { NextToken: 'other' },
      'InvalidArgumentException',
      /^NextToken is not from a response/,
    ],
    [
      'a filter without the shard that it needs',
      { StreamName, ShardFilter: { Type: 'AFTER_SHARD_ID' } },
      'InvalidArgumentException',
      /^ShardFilter.ShardId: AFTER_SHARD_ID requires a ShardId$/,
    ],
    [
      'an unknown filter',
      { StreamName, ShardFilter: { Type: 'NEWEST' as 'AT_LATEST' } },
      'InvalidArgumentException',
      /^ShardFilter.Type: must be AFTER_SHARD_ID, .*; got "NEWEST"$/,
    ],
    [
      'a page size of 0',
      { StreamName, MaxResults: 0 },
      'ValidationException',
      /'maxResults' failed to satisfy constraint/,
    ],
    [
      'a stream that does not exist',
      { StreamName: 'none' },
      'ResourceNotFoundException',
      /none.* not found/,
    ],
  ])('rejects %s', async (_, input, name, message) => {
    const client = await clientOfStream(1);
    const refused = list(client, input);
    await expect(refused).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
  });

  it('rejects a token after 300 seconds', async () => {
    const shard = {
      ShardId: firstShard,
      SequenceNumberRange: { StartingSequenceNumber: '0' },
    };
    const summary = { RetentionPeriodHours: 24, StreamCreationTimestamp: 0 };
    const answers: Record<string, object> = {
      ListShards: { Shards: [shard, shard] },
      DescribeStreamSummary: { StreamDescriptionSummary: summary },
    };
    const ask = async (operation: string) => ({
      status: 200,
      headers: {},
      body: JSON.stringify(answers[operation]),
    });
    const first = await listShards(ask, { StreamName, MaxResults: 1 }, 0);
    const { NextToken } = JSON.parse(first.body) as { NextToken: string };
    expect((await listShards(ask, { NextToken }, 300_000)).status).toBe(200);
    const late = await listShards(ask, { NextToken }, 300_001);
    expect(JSON.parse(late.body)).toMatchObject({ __type: 'ExpiredNextTokenException' });
  });
});

describe('DescribeStream', () => {
  it('describes the shards in pages of Limit', async () => {
    const client = await clientOfStream(3);
    const page = async (ExclusiveStartShardId?: string) =>
      (
        await client.send(
          new DescribeStreamCommand({ StreamName, Limit: 2, ExclusiveStartShardId }),
        )
      ).StreamDescription;
    const [first, second, third] = shardIds(3).map((ShardId) => ({ ShardId }));
    expect(await page()).toMatchObject({ Shards: [first, second], HasMoreShards: true });
    expect(await page(second!.ShardId)).toMatchObject({ Shards: [third], HasMoreShards: false });
  });

  it('describes at most 100 shards per page, by default and with a larger Limit', async () => {
    const client = await clientOfStream(101);
    for (const Limit of [undefined, 10_000]) {
      const answer = await client.send(new DescribeStreamCommand({ StreamName, Limit }));
      expect(answer.StreamDescription?.Shards).toHaveLength(100);
      expect(answer.StreamDescription?.HasMoreShards).toBe(true);
    }
  });
});

describe('ListStreams', () => {
  it('lists all streams, with a token between pages', async () => {
    const client = await clientOfStream(1);
    for (const name of ['a', 'b'])
      await client.send(new CreateStreamCommand({ StreamName: name, ShardCount: 1 }));
    const list = (input: { Limit?: number; NextToken?: string }) =>
      client.send(new ListStreamsCommand(input));
    const first = await list({ Limit: 2 });
    expect(first).toMatchObject({ StreamNames: ['a', 'b'], HasMoreStreams: true });
    const second = await list({ Limit: 2, NextToken: first.NextToken });
    expect(second).toMatchObject({ StreamNames: [StreamName], HasMoreStreams: false });
    expect(second.NextToken).toBeUndefined();
  });

  it('lists more than 10 streams by default', async () => {
    const client = await clientOfStream(1);
    for (let n = 0; n < 11; n += 1)
      await client.send(new CreateStreamCommand({ StreamName: `stream-${n}`, ShardCount: 1 }));
    const { StreamNames } = await client.send(new ListStreamsCommand({}));
    expect(StreamNames).toHaveLength(12);
  });
});
