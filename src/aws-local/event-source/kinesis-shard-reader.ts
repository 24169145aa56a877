import {
  type _Record,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  type KinesisClient,
  ListShardsCommand,
} from '@aws-sdk/client-kinesis';
import {
  type IteratorApi,
  IteratorCursor,
  type IteratorCursorOptions,
  type IteratorPage,
} from './iterator-cursor.ts';
import { withTimeout } from './request-timeout.ts';
import type { Shard, ShardCursor, ShardPosition, ShardReader } from './shards.ts';

export interface KinesisShardReaderOptions extends IteratorCursorOptions {
  readonly client: KinesisClient;
  readonly streamName: string;
}

/**
 * Reads a stream through the Kinesis API. Reads throw on throttling, outages and network errors, and then keep the
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
      const input = token === undefined ? { StreamName: streamName } : { NextToken: token };
      const page = await withTimeout(clock, signal, (abortSignal) =>
        client.send(new ListShardsCommand(input), { abortSignal }),
      );
      for (const shard of page.Shards ?? []) {
        shards.push({
          id: shard.ShardId ?? '',
          parentId: shard.ParentShardId,
          adjacentParentId: shard.AdjacentParentShardId,
        });
      }
      token = page.NextToken;
    } while (token !== undefined);
    return shards;
  }

  open(shardId: string, position: ShardPosition): ShardCursor {
    return new IteratorCursor(this, this.#options, shardId, position);
  }

  async getRecords(iterator: string, limit: number, signal: AbortSignal): Promise<IteratorPage> {
    const { client, clock } = this.#options;
    const output = await withTimeout(clock, signal, (abortSignal) =>
      client.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: limit }), {
        abortSignal,
      }),
    );
    const records = (output.Records ?? []).map((record) => ({
      sequenceNumber: record.SequenceNumber ?? '',
      partitionKey: record.PartitionKey ?? '',
      data: bytesOf(record),
      arrivedAt: record.ApproximateArrivalTimestamp?.getTime() ?? 0,
    }));
    const { NextShardIterator: nextIterator, MillisBehindLatest: millisBehindLatest = 0 } = output;
    // kinesalite always returns 0 here. It returns a full page if there are enough records.
    const isAtTip = millisBehindLatest === 0 && records.length < limit;
    return { records, nextIterator, isAtTip };
  }

  async getIterator(
    shardId: string,
    position: ShardPosition,
    signal: AbortSignal,
  ): Promise<string> {
    const { client, clock, streamName } = this.#options;
    const input: GetShardIteratorCommandInput = {
      StreamName: streamName,
      ShardId: shardId,
      ShardIteratorType: position.at,
      ...(position.at === 'AT_TIMESTAMP' && { Timestamp: new Date(position.timestamp) }),
      ...(position.at === 'AFTER_SEQUENCE_NUMBER' && {
        StartingSequenceNumber: position.sequenceNumber,
      }),
    };
    const output = await withTimeout(clock, signal, (abortSignal) =>
      client.send(new GetShardIteratorCommand(input), { abortSignal }),
    );
    if (output.ShardIterator === undefined)
      throw new Error('the response contains no shard iterator');
    return output.ShardIterator;
  }
}

/**
 * Returns the data of a record. Throws if the data is not bytes, because a record of unknown size would block its
 * shard.
 */
function bytesOf({ Data, SequenceNumber }: _Record): Uint8Array {
  if (Data instanceof Uint8Array) return Data;
  const found = JSON.stringify(Data)?.slice(0, 100);
  throw new TypeError(`the data of the record ${SequenceNumber} must be bytes; got ${found}`);
}
