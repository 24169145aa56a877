import { secondsOfMonth } from './dollars.ts';
import { prices } from './prices.ts';

/** The number of partitions of a new on-demand table. Each partition has a shard in the table's stream. */
const minimumShards = 4;
/** The number of write units that a partition accepts in a second. */
const unitsPerShard = 1_000;
/** The batch size of the event source mapping, which collects changes for up to a second. */
const batchSize = 1_000;
/**
 * The consumption of an invocation of the counter function. The function reads the counters' state and writes the item
 * with a model's totals and the item with a day's counts. The duration is assumed, not measured.
 */
const invocation = { writeUnits: 2, readUnits: 1, milliseconds: 15, megabytes: 512 };

/** The number of status row changes in a month and the write units that the instances table consumes in that month. */
export interface RowChanges {
  readonly rowChanges: number;
  readonly writeUnits: number;
}

/**
 * Estimates how often the counter function is invoked in a month if changes are distributed evenly over time and over
 * the shards.
 */
export function counterInvocations({ rowChanges, writeUnits }: RowChanges): number {
  const shards = Math.max(minimumShards, writeUnits / secondsOfMonth / unitsPerShard);
  const perShard = rowChanges / secondsOfMonth / shards;
  return rowChanges / Math.min(batchSize, Math.max(1, perShard));
}

/** Returns the cost of an invocation of the counter function in US dollars, including its reads and writes. */
export function dollarsOfCounterInvocation(): number {
  const { lambda, dynamoDb } = prices;
  const gigabyteSeconds = (invocation.milliseconds / 1_000) * (invocation.megabytes / 1_024);
  return (
    lambda.perMillionRequests / 1e6 +
    gigabyteSeconds * lambda.perGigabyteSecond +
    (invocation.writeUnits * dynamoDb.perMillionWriteUnits) / 1e6 +
    (invocation.readUnits * dynamoDb.perMillionReadUnits) / 1e6
  );
}
