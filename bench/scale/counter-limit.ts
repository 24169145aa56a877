import { quotas } from './quotas.ts';

/** The number of partitions across which a model's totals are distributed: see `counter-keys.ts`. */
const counterPartitions = 4;
/** The size of the attribute that stores the position in a shard, in bytes: its name and value. */
const positionBytes = 82;
/** How long a position in a shard is kept, in hours: see `counted-shards.ts`. */
const positionHours = 48;
/** The assumed lifetime of a shard of a table's stream, in hours. */
const shardHours = 4;

/**
 * Computes the write units per second of the busiest partition of the counters. Each shard of the table's stream
 * updates the totals of a model once a second. The item with the totals also contains the positions in all recent
 * shards. The stream has one shard per partition of the table.
 *
 * @param tableUnits the write units per second of the instances table.
 */
function counterUnits(tableUnits: number): number {
  const shards = Math.ceil(tableUnits / quotas.dynamoDb.writeUnitsPerKey) / counterPartitions;
  const positions = shards * (1 + positionHours / shardHours);
  return shards * Math.max(1, (positions * positionBytes) / 1_024);
}

/** Returns the rate, in events per second, at which the busiest partition of the counters reaches its limit. */
export function counterLimit(tableUnitsPerEvent: number, unitsPerKey: number): number {
  let rate = 1_000;
  while (counterUnits(rate * tableUnitsPerEvent) < unitsPerKey) rate += 1_000;
  return rate;
}
