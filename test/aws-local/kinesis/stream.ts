import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type KinesisClient,
  ListShardsCommand,
  PutRecordsCommand,
} from '@aws-sdk/client-kinesis';
import { expect, vi } from 'vitest';

export const StreamName = 'events';
export const firstShard = 'shardId-000000000000';

export async function active(client: KinesisClient): Promise<void> {
  await vi.waitFor(async () => {
    const summary = await client.send(new DescribeStreamSummaryCommand({ StreamName }));
    expect(summary.StreamDescriptionSummary?.StreamStatus).toBe('ACTIVE');
  });
}

export async function createStream(client: KinesisClient, ShardCount: number): Promise<void> {
  await client.send(new CreateStreamCommand({ StreamName, ShardCount }));
  await active(client);
}

export async function shards(client: KinesisClient) {
  return (await client.send(new ListShardsCommand({ StreamName }))).Shards ?? [];
}

export async function putMany(client: KinesisClient, words: readonly string[]): Promise<void> {
  const Records = words.map((word) => ({ PartitionKey: word, Data: Buffer.from(word) }));
  const answer = await client.send(new PutRecordsCommand({ StreamName, Records }));
  expect(answer.FailedRecordCount).toBe(0);
}

export async function iterator(
  client: KinesisClient,
  ShardId: string,
  after?: string,
): Promise<string> {
  const position =
    after === undefined
      ? ({ ShardIteratorType: 'TRIM_HORIZON' } as const)
      : ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber: after } as const);
  const answer = await client.send(
    new GetShardIteratorCommand({ StreamName, ShardId, ...position }),
  );
  return answer.ShardIterator ?? '';
}

/** Reads all records, starting at an iterator. Returns the records, and whether the shard is closed. */
export async function read(client: KinesisClient, from: string) {
  const words: string[] = [];
  const sequence: string[] = [];
  let next: string | undefined = from;
  for (let empty = 0; next !== undefined && empty < 3; ) {
    const page: { Records?: { Data?: Uint8Array; SequenceNumber?: string }[] } & {
      NextShardIterator?: string;
    } = await client.send(new GetRecordsCommand({ ShardIterator: next, Limit: 50 }));
    for (const { Data, SequenceNumber } of page.Records ?? []) {
      words.push(Buffer.from(Data ?? []).toString());
      sequence.push(SequenceNumber ?? '');
    }
    empty = page.Records?.length ? 0 : empty + 1;
    next = page.NextShardIterator;
  }
  return { words, sequence, closed: next === undefined };
}

export async function readAll(client: KinesisClient): Promise<string[]> {
  const words = [];
  for (const { ShardId } of await shards(client)) {
    words.push(...(await read(client, await iterator(client, ShardId ?? ''))).words);
  }
  return words.toSorted();
}
