import type { DynamoDbStreamsClient } from './dynamodb-streams-client.ts';
import {
  type IteratorApi,
  IteratorCursor,
  type IteratorCursorOptions,
  type IteratorPage,
} from './iterator-cursor.ts';
import { withTimeout } from './request-timeout.ts';
import type { Shard, ShardCursor, ShardPosition, ShardReader } from './shards.ts';

export interface DynamoDbShardReaderOptions extends IteratorCursorOptions {
  readonly client: DynamoDbStreamsClient;
  readonly streamArn: string;
}

/** The maximum number of records per GetRecords call. */
const maximumPageRecords = 1_000;

/** Reads the change stream of a table through the DynamoDB Streams API. */
export class DynamoDbShardReader implements ShardReader, IteratorApi {
  readonly iteratorErrors = [
    'ExpiredIteratorException',
    'TrimmedDataAccessException',
    'ValidationException',
  ];
  readonly sequenceNumberErrors = ['TrimmedDataAccessException', 'ValidationException'];
  readonly #options: DynamoDbShardReaderOptions;

  constructor(options: DynamoDbShardReaderOptions) {
    this.#options = options;
  }

  async listShards(signal: AbortSignal): Promise<readonly Shard[]> {
    const { client, clock, streamArn: StreamArn } = this.#options;
    const shards: Shard[] = [];
    let last: string | undefined;
    do {
      const request = { StreamArn, ExclusiveStartShardId: last };
      const page = await withTimeout(clock, signal, (abortSignal) =>
        client.describeStream(request, abortSignal),
      );
      for (const { ShardId, ParentShardId } of page.Shards)
        shards.push({ id: ShardId, parentId: ParentShardId });
      last = page.LastEvaluatedShardId;
    } while (last !== undefined);
    return shards;
  }

  open(shardId: string, position: ShardPosition): ShardCursor {
    const { clock } = this.#options;
    const cursor = new IteratorCursor(this, this.#options, shardId, position);
    if (position.at === 'AT_TIMESTAMP') return cursorSince(position.timestamp, cursor);
    return position.at === 'LATEST' ? cursorSince(clock.now(), cursor) : cursor;
  }

  async getRecords(iterator: string, limit: number, signal: AbortSignal): Promise<IteratorPage> {
    const { client, clock } = this.#options;
    const request = { ShardIterator: iterator, Limit: Math.min(limit, maximumPageRecords) };
    const { Records, NextShardIterator: nextIterator } = await withTimeout(
      clock,
      signal,
      (abortSignal) => client.getRecords(request, abortSignal),
    );
    const records = Records.map((record) => ({
      sequenceNumber: record.dynamodb.SequenceNumber,
      partitionKey: JSON.stringify(record.dynamodb.Keys),
      data: Buffer.from(JSON.stringify(record)),
      arrivedAt: record.dynamodb.ApproximateCreationDateTime * 1_000,
    }));
    // The API does not report how many records remain. Only an empty page shows that there are no more records.
    return { records, nextIterator, isAtTip: records.length === 0 };
  }

  getIterator(shardId: string, position: ShardPosition, signal: AbortSignal): Promise<string> {
    const { client, clock, streamArn: StreamArn } = this.#options;
    const shard = { StreamArn, ShardId: shardId };
    return withTimeout(clock, signal, (abortSignal) => {
      if (position.at === 'AFTER_SEQUENCE_NUMBER') {
        const { at: ShardIteratorType, sequenceNumber: SequenceNumber } = position;
        return client.getShardIterator(
          { ...shard, ShardIteratorType, SequenceNumber },
          abortSignal,
        );
      }
      // The API has no iterator type that starts at a time, so the cursor reads and skips earlier records.
      const ShardIteratorType = position.at === 'LATEST' ? 'LATEST' : 'TRIM_HORIZON';
      return client.getShardIterator({ ...shard, ShardIteratorType }, abortSignal);
    });
  }
}

/**
 * Skips the records before a time. Records contain their time in whole seconds, so records from earlier in the same
 * second are also returned.
 */
function cursorSince(timestamp: number, cursor: ShardCursor): ShardCursor {
  const earliest = Math.floor(timestamp / 1_000) * 1_000;
  return {
    async read(limit, signal) {
      const page = await cursor.read(limit, signal);
      const records = page.records.filter(({ arrivedAt }) => arrivedAt >= earliest);
      return { ...page, records };
    },
  };
}
