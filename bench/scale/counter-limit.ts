import { quotas } from './quotas.ts';

/** The number of partitions that the totals of a model are distributed over: see `counter-keys.ts`. */
const counterPartitions = 4;
/** The size of the position in a shard: the attribute's name and value, in bytes. */
const positionBytes = 82;
/** The number of hours for which the position in a shard is kept: see `counted-shards.ts`. */
const positionHours = 48;
/** An assumption: DynamoDB replaces each shard of a table's stream about every four hours. */
const shardHours = 4;

/**
 * Computes the write units per second of the busiest partition of the counters. Each shard of the table's stream
 * updates the totals of a model once a second, and the item contains the positions in all recent shards. The stream has
 * one shard per partition of the table.
 *
 * @param tableUnits the write units per second of the instances table.
 */
function counterUnits(tableUnits: number): number {
  const shards = Math.ceil(tableUnits / quotas.dynamoDb.writeUnitsPerKey) / counterPartitions;
  const positions = shards * (1 + positionHours / shardHours);
  return shards * Math.max(1, (positions * positionBytes) / 1_024);
}

/** Returns the events per second at which the busiest partition of the counters reaches its limit. */
export function counterLimit(tableUnitsPerEvent: number, unitsPerKey: number): number {
  let rate = 1_000;
  while (counterUnits(rate * tableUnitsPerEvent) < unitsPerKey) rate += 1_000;
  return rate;
}
