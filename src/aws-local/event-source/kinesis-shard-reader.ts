import {
  type IteratorApi,
  IteratorCursor,
  type IteratorCursorOptions,
  type IteratorPage,
} from './iterator-cursor.ts';
import type { KinesisReadClient, KinesisRecord } from './kinesis-read-client.ts';
import { withTimeout } from './request-timeout.ts';
import type { Shard, ShardCursor, ShardPosition, ShardReader } from './shards.ts';

export interface KinesisShardReaderOptions extends IteratorCursorOptions {
  readonly client: KinesisReadClient;
  readonly streamName: string;
}

/**
 * Reads a stream through the Kinesis API. A read that is throttled or fails throws an error and does not change the
 * position in the shard.
 */
export class KinesisShardReader implements ShardReader, IteratorApi {
  readonly iteratorErrors = ['ExpiredIteratorException', 'InvalidArgumentException'];
  readonly sequenceNumberErrors = ['InvalidArgumentException'];
  readonly #options: KinesisShardReaderOptions;

  constructor(options: KinesisShardReaderOptions) {
    this.#options = options;
  }

  async listShards(signal: AbortSignal): Promise<readonly Shard[]> {
    const { client, clock, streamName } = this.#options;
    const shards: Shard[] = [];
    let token: string | undefined;
    do {
      const request = token === undefined ? { StreamName: streamName } : { NextToken: token };
      const page = await withTimeout(clock, signal, (abortSignal) =>
        client.listShards(request, abortSignal),
      );
      for (const { ShardId, ParentShardId, AdjacentParentShardId } of page.Shards ?? [])
        shards.push({
          id: ShardId,
          parentId: ParentShardId,
          adjacentParentId: AdjacentParentShardId,
        });
      token = page.NextToken;
    } while (token !== undefined);
    return shards;
  }

  open(shardId: string, position: ShardPosition): ShardCursor {
    return new IteratorCursor(this, this.#options, shardId, position);
  }

  async getRecords(iterator: string, limit: number, signal: AbortSignal): Promise<IteratorPage> {
    const { client, clock } = this.#options;
    const page = await withTimeout(clock, signal, (abortSignal) =>
      client.getRecords({ ShardIterator: iterator, Limit: limit }, abortSignal),
    );
    const records = page.Records.map((record) => ({
      sequenceNumber: record.SequenceNumber,
      partitionKey: record.PartitionKey,
      data: bytesOf(record),
      arrivedAt: record.ApproximateArrivalTimestamp * 1000,
    }));
    const { NextShardIterator: nextIterator, MillisBehindLatest: millisBehindLatest = 0 } = page;
    return { records, nextIterator, isAtTip: millisBehindLatest === 0 };
  }

  getIterator(shardId: string, position: ShardPosition, signal: AbortSignal): Promise<string> {
    const { client, clock, streamName } = this.#options;
    const request = {
      StreamName: streamName,
      ShardId: shardId,
      ShardIteratorType: position.at,
      ...(position.at === 'AT_TIMESTAMP' && { Timestamp: position.timestamp / 1000 }),
      ...(position.at === 'AFTER_SEQUENCE_NUMBER' && {
        StartingSequenceNumber: position.sequenceNumber,
      }),
    };
    return withTimeout(clock, signal, (abortSignal) =>
      client.getShardIterator(request, abortSignal),
    );
  }
}

/** Returns a record's data. Throws if it is not text, because a record of unknown size would block its shard. */
function bytesOf({ Data, SequenceNumber }: KinesisRecord): Uint8Array {
  if (typeof Data === 'string') return Buffer.from(Data, 'base64');
  const found = JSON.stringify(Data)?.slice(0, 100);
  throw new TypeError(`the data of the record ${SequenceNumber} must be base64; got ${found}`);
}
