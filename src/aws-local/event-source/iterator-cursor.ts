import type { Clock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import type { Log } from './options.ts';
import type { Shard, ShardCursor, ShardPage, ShardPosition, ShardRecord } from './shards.ts';

/** The API of a stream that is read with shard iterators. */
export interface IteratorApi {
  listShards(signal: AbortSignal): Promise<readonly Shard[]>;
  getIterator(shardId: string, position: ShardPosition, signal: AbortSignal): Promise<string>;
  getRecords(iterator: string, limit: number, signal: AbortSignal): Promise<IteratorPage>;
  /** The names of the errors that report an expired or invalid iterator. */
  readonly iteratorErrors: readonly string[];
  /**
   * The names of the errors that report an unknown sequence number, for example because its record has been trimmed.
   */
  readonly sequenceNumberErrors: readonly string[];
}

export interface IteratorPage {
  readonly records: readonly ShardRecord[];
  /** Undefined at the end of a closed shard. */
  readonly nextIterator: string | undefined;
  /** True if the shard had no more records at the time of the read. */
  readonly isAtTip: boolean;
}

export interface IteratorCursorOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads a shard page by page. An error, such as throttling or an outage, does not change the position in the shard. */
export class IteratorCursor implements ShardCursor {
  readonly #api: IteratorApi;
  readonly #options: IteratorCursorOptions;
  readonly #shardId: string;
  /** The position from which to get a new iterator if the current iterator expires. */
  #position: ShardPosition;
  #iterator: string | undefined;

  constructor(
    api: IteratorApi,
    options: IteratorCursorOptions,
    shardId: string,
    position: ShardPosition,
  ) {
    this.#api = api;
    this.#options = options;
    this.#shardId = shardId;
    this.#position = position;
  }

  async read(limit: number, signal: AbortSignal): Promise<ShardPage> {
    try {
      return await this.#read(limit, signal);
    } catch (error) {
      if (!(await this.#isGone(error, signal))) throw error;
      this.#options.log('the stream no longer has the shard; treating it as read to its end', {
        shardId: this.#shardId,
      });
      return { records: [], closed: true, isAtTip: true };
    }
  }

  async #read(limit: number, signal: AbortSignal): Promise<ShardPage> {
    this.#iterator ??= await this.#iteratorAtPosition(signal);
    try {
      return await this.#getRecords(this.#iterator, limit, signal);
    } catch (error) {
      // Iterators expire: after 5 minutes in Kinesis, and after 15 minutes in DynamoDB Streams. Get a new iterator at
      // the same position.
      if (!isNamed(error, this.#api.iteratorErrors)) throw error;
      this.#iterator = await this.#iteratorAtPosition(signal);
      return this.#getRecords(this.#iterator, limit, signal);
    }
  }

  async #getRecords(iterator: string, limit: number, signal: AbortSignal): Promise<ShardPage> {
    const { records, nextIterator, isAtTip } = await this.#api.getRecords(iterator, limit, signal);
    const last = records.at(-1);
    if (last !== undefined) {
      this.#position = { at: 'AFTER_SEQUENCE_NUMBER', sequenceNumber: last.sequenceNumber };
    }
    this.#iterator = nextIterator;
    return { records, closed: nextIterator === undefined, isAtTip };
  }

  async #iteratorAtPosition(signal: AbortSignal): Promise<string> {
    const { clock, log } = this.#options;
    const position = this.#position;
    try {
      const askedAt = clock.now();
      const iterator = await this.#getIterator(position, signal);
      // If this iterator expires, a second LATEST iterator would skip the records that arrive between the two requests.
      if (position.at === 'LATEST') this.#position = { at: 'AT_TIMESTAMP', timestamp: askedAt };
      return iterator;
    } catch (error) {
      const isUnknown =
        position.at === 'AFTER_SEQUENCE_NUMBER' && isNamed(error, this.#api.sequenceNumberErrors);
      if (!isUnknown) throw error;
      log(
        `the stream does not recognize the checkpoint, so reading continues from TRIM_HORIZON; the error was: ${messageOf(error)}`,
        {
          shardId: this.#shardId,
          sequenceNumber: position.sequenceNumber,
        },
      );
      this.#position = { at: 'TRIM_HORIZON' };
      return this.#getIterator(this.#position, signal);
    }
  }

  #getIterator(position: ShardPosition, signal: AbortSignal): Promise<string> {
    return this.#api.getIterator(this.#shardId, position, signal);
  }

  /** Returns true if the shard is past the stream's retention period. Throws if the stream itself is missing. */
  async #isGone(error: unknown, signal: AbortSignal): Promise<boolean> {
    if (!isNamed(error, ['ResourceNotFoundException'])) return false;
    const shards = await this.#api.listShards(signal);
    return !shards.some(({ id }) => id === this.#shardId);
  }
}

function isNamed(error: unknown, names: readonly string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}
