import { type Clock, timeLeft } from '../common/clock.ts';

export interface IndexPartitionGrowthDependencies {
  /** Returns the number of open shards of the event stream; undefined if the stream does not exist. */
  readonly openShards: () => Promise<number | undefined>;
  readonly partitions: {
    /** Announces the given number of partitions, unless the current or announced number is at least as high. */
    raise(count: number): Promise<void>;
  };
  readonly clock: Clock;
}

/**
 * The number of partitions of each index key per shard of the event stream. A shard accepts 1,000 records per second,
 * and a record with a single event changes at most one status row. Moving the row within an index takes two write units
 * because its old entry is deleted. A partition key supports 1,000 write units per second.
 *
 * @see https://docs.aws.amazon.com/streams/latest/dev/service-sizes-and-limits.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const partitionsPerShard = 2;

/** Returns the number of partitions, a power of two, that a stream with the given number of shards requires. */
export const partitionsFor = (openShards: number) =>
  2 ** Math.ceil(Math.log2(partitionsPerShard * Math.max(1, openShards)));

/**
 * The minimum interval between checks, in milliseconds. It matters only for the local service, which runs the
 * clock every second.
 */
const interval = 30_000;

/**
 * Returns a function that raises the number of partitions per index key if it is too low for the open shards of the
 * event stream. The number is never lowered because readers must find the rows in all partitions.
 */
export function indexPartitionGrowth({
  openShards,
  partitions,
  clock,
}: IndexPartitionGrowthDependencies): () => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    if (timeLeft(clock, checkedAt, interval) > 0) return;
    const shards = await openShards();
    if (shards !== undefined) await partitions.raise(partitionsFor(shards));
    checkedAt = now;
  };
}
