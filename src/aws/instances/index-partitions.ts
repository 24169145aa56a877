import type { InstancesTable } from './instances-table.ts';
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

/** Reads and caches how many partitions each index key is distributed across: see `PartitionCounts`. */
export class IndexPartitions {
  readonly #table: InstancesTable;
  #known: { readonly counts: PartitionCounts; readonly readAt: number } | undefined;
  #reading: Promise<PartitionCounts> | undefined;

  constructor(table: InstancesTable) {
    this.#table = table;
  }

  /** Returns how many partitions of each index key a reader must query to find every row. */
  async toRead(): Promise<Partitions> {
    return partitionsToRead(await this.#counts());
  }

  /** Returns how many partitions of each index key a writer must use now. */
  async toWrite(): Promise<Partitions> {
    const known = this.#known?.counts;
    try {
      return partitionsAt(await this.#counts(), this.#table.clock.now());
    } catch (error) {
      // A stale count can only be lower, so readers also query its partitions.
      if (known) return partitionsAt(known, this.#table.clock.now());
      throw error;
    }
  }

  /** Returns every partition count that may have been in use when a row was written. */
  async every(): Promise<Partitions[]> {
    return everyPartitions(await this.#counts());
  }

  /** Returns the number of partitions that the tracker started with. This number never changes. */
  async first(): Promise<number> {
    return (await this.#counts()).first;
  }

  async #counts(): Promise<PartitionCounts> {
    const age = this.#table.clock.now() - (this.#known?.readAt ?? 0);
    if (this.#known && age >= 0 && age < cacheLifetime) return this.#known.counts;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<PartitionCounts> {
    const readAt = this.#table.clock.now();
    const { client, table } = this.#table;
    const counts = partitionCountsIn(await readPartitionCounts(client, table));
    this.#known = { counts, readAt };
    return counts;
  }
}
