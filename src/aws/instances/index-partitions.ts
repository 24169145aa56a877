import type { Clock } from '../../common/clock.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import {
  cacheLifetime,
  everyPartitions,
  type PartitionCounts,
  type Partitions,
  partitionCountsIn,
  partitionsAt,
  partitionsToRead,
  readPartitionCounts,
} from './partition-counts.ts';

/** Reads the number of partitions across which each index key is distributed: see `PartitionCounts`. */
export class IndexPartitions {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Clock;
  #known: { readonly counts: PartitionCounts; readonly readAt: number } | undefined;
  #reading: Promise<PartitionCounts> | undefined;

  /**
   * @param table the instances table.
   * @param clock measures the age of the numbers.
   */
  constructor(client: DynamoDb, table: string, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  /** Returns how many partitions of each index key a reader must query to find every row. */
  async toRead(): Promise<Partitions> {
    return partitionsToRead(await this.#counts());
  }

  /** Returns the number of partitions across which each index key is distributed for a row that is written now. */
  async toWrite(): Promise<Partitions> {
    const known = this.#known?.counts;
    try {
      return partitionsAt(await this.#counts(), this.#clock.now());
    } catch (error) {
      // An outdated number can only be lower, so readers also query its partitions.
      if (known) return partitionsAt(known, this.#clock.now());
      throw error;
    }
  }

  /** Returns all numbers of partitions that may have been in use when a row was written. */
  async every(): Promise<Partitions[]> {
    return everyPartitions(await this.#counts());
  }

  /** Returns the number of partitions that the tracker started with. This number never changes. */
  async first(): Promise<number> {
    return (await this.#counts()).first;
  }

  async #counts(): Promise<PartitionCounts> {
    const age = this.#clock.now() - (this.#known?.readAt ?? 0);
    if (this.#known && age >= 0 && age < cacheLifetime) return this.#known.counts;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<PartitionCounts> {
    const readAt = this.#clock.now();
    const counts = partitionCountsIn(await readPartitionCounts(this.#client, this.#table));
    this.#known = { counts, readAt };
    return counts;
  }
}
