import {
  type _Record,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  type KinesisClient,
  ListShardsCommand,
} from '@aws-sdk/client-kinesis';
import type { Clock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import type { Log } from './options.ts';
import type {
  Shard,
  ShardCursor,
  ShardPage,
  ShardPosition,
  ShardReader,
  ShardRecord,
} from './shards.ts';

/** The time limit of a request to an endpoint, in milliseconds. */
const requestTimeoutMs = 10_000;

export interface KinesisShardReaderOptions {
  readonly client: KinesisClient;
  readonly streamName: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads a stream through the Kinesis API. Throws on throttling, outages and network errors. The position in the shard
 * is then unchanged.
 */
export class KinesisShardReader implements ShardReader {
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
    return new KinesisShardCursor(this.#options, shardId, position, async (signal) => {
      const shards = await this.listShards(signal);
      return shards.some((shard) => shard.id === shardId);
    });
  }
}

/** Reads a shard of a Kinesis stream page by page. */
class KinesisShardCursor implements ShardCursor {
  readonly #options: KinesisShardReaderOptions;
  readonly #shardId: string;
  readonly #isListed: (signal: AbortSignal) => Promise<boolean>;
  /** The position for the next iterator, if the current one expires. */
  #position: ShardPosition;
  #iterator: string | undefined;

  /** @param isListed returns true if the stream still lists the shard */
  constructor(
    options: KinesisShardReaderOptions,
    shardId: string,
    position: ShardPosition,
    isListed: (signal: AbortSignal) => Promise<boolean>,
  ) {
    this.#options = options;
    this.#shardId = shardId;
    this.#position = position;
    this.#isListed = isListed;
  }

  async read(limit: number, signal: AbortSignal): Promise<ShardPage> {
    try {
      return await this.#read(limit, signal);
    } catch (error) {
      if (!(await this.#isGone(error, signal))) throw error;
      this.#options.log('the stream no longer has the shard; treating it as read to its end', {
        shardId: this.#shardId,
      });
      return { records: [], closed: true, millisBehindLatest: 0 };
    }
  }

  async #read(limit: number, signal: AbortSignal): Promise<ShardPage> {
    this.#iterator ??= await this.#iteratorAtPosition(signal);
    try {
      return await this.#getRecords(this.#iterator, limit, signal);
    } catch (error) {
      // Iterators expire after five minutes. Get a new one at the same position.
      const isUseless = isNamed(error, 'ExpiredIteratorException', 'InvalidArgumentException');
      if (!isUseless) throw error;
      this.#iterator = await this.#iteratorAtPosition(signal);
      return this.#getRecords(this.#iterator, limit, signal);
    }
  }

  async #getRecords(iterator: string, limit: number, signal: AbortSignal): Promise<ShardPage> {
    const { client, clock } = this.#options;
    const output = await withTimeout(clock, signal, (abortSignal) =>
      client.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: limit }), {
        abortSignal,
      }),
    );
    const records: ShardRecord[] = (output.Records ?? []).map((record) => ({
      sequenceNumber: record.SequenceNumber ?? '',
      partitionKey: record.PartitionKey ?? '',
      data: bytesOf(record),
      arrivedAt: record.ApproximateArrivalTimestamp?.getTime() ?? 0,
    }));
    const last = records.at(-1);
    if (last !== undefined) {
      this.#position = { at: 'AFTER_SEQUENCE_NUMBER', sequenceNumber: last.sequenceNumber };
    }
    this.#iterator = output.NextShardIterator;
    return {
      records,
      closed: output.NextShardIterator === undefined,
      millisBehindLatest: output.MillisBehindLatest ?? 0,
    };
  }

  async #iteratorAtPosition(signal: AbortSignal): Promise<string> {
    const { clock, log } = this.#options;
    const position = this.#position;
    try {
      const askedAt = clock.now();
      const iterator = await this.#getIterator(position, signal);
      // A second LATEST iterator would skip the records that arrive after the first one is created.
      if (position.at === 'LATEST') this.#position = { at: 'AT_TIMESTAMP', timestamp: askedAt };
      return iterator;
    } catch (error) {
      const isUnknown =
        position.at === 'AFTER_SEQUENCE_NUMBER' && isNamed(error, 'InvalidArgumentException');
      if (!isUnknown) throw error;
      log(
        `the stream does not recognize the checkpoint; reading from TRIM_HORIZON: ${messageOf(error)}`,
        {
          shardId: this.#shardId,
          sequenceNumber: position.sequenceNumber,
        },
      );
      this.#position = { at: 'TRIM_HORIZON' };
      return this.#getIterator(this.#position, signal);
    }
  }

  async #getIterator(position: ShardPosition, signal: AbortSignal): Promise<string> {
    const { client, clock, streamName } = this.#options;
    const input: GetShardIteratorCommandInput = {
      StreamName: streamName,
      ShardId: this.#shardId,
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

  /** Returns true if the shard is past the stream's retention; throws if the stream itself is missing. */
  async #isGone(error: unknown, signal: AbortSignal): Promise<boolean> {
    if (!isNamed(error, 'ResourceNotFoundException')) return false;
    return !(await this.#isListed(signal));
  }
}

/** Sends a request that is aborted by the signal or after the time limit. */
async function withTimeout<T>(
  clock: Clock,
  signal: AbortSignal,
  request: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  const answered = new AbortController();
  const late = new AbortController();
  const timeout = clock.sleep(requestTimeoutMs, answered.signal).then(() => late.abort());
  try {
    return await request(AbortSignal.any([signal, late.signal]));
  } finally {
    answered.abort('answered');
    await timeout;
  }
}

/** Returns a record's data. Throws if it is not bytes, because a record of unknown size would block its shard. */
function bytesOf({ Data, SequenceNumber }: _Record): Uint8Array {
  if (Data instanceof Uint8Array) return Data;
  const found = JSON.stringify(Data)?.slice(0, 100);
  throw new TypeError(`the data of the record ${SequenceNumber} must be bytes; got ${found}`);
}

function isNamed(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}
