import type { DynamoDb, Item } from '../client/dynamodb.ts';

/**
 * The number of partitions across which each index key is distributed, now and after the announced growth.
 *
 * Every partition count is a power of two and never decreases. The partitions of a lower count are therefore among the
 * partitions of every higher count: a reader that uses the highest count finds all rows, and a writer with a stale
 * count still writes to partitions that readers query.
 */
export interface PartitionCounts {
  /**
   * The count that the tracker started with. Every later count is a multiple of it, so an instance's partition number
   * modulo this count never changes.
   */
  readonly first: number;
  /** The count that writers use before `from`. */
  readonly before: number;
  /** The count that writers use at and after `from`. Readers use it as soon as they know it. */
  readonly count: number;
  /** When writers start to use `count`, in milliseconds since 1970. */
  readonly from: number;
}

/**
 * The partition counts of a tracker without a stored item. Older versions always used eight partitions, so their
 * trackers need no migration.
 */
export const withoutItem: PartitionCounts = { first: 8, before: 8, count: 8, from: 0 };

/** The partition counts of a new tracker. */
export const newInstallation: PartitionCounts = { first: 2, before: 2, count: 2, from: 0 };

/** How long a process can cache the partition counts, in milliseconds. */
export const cacheLifetime = 60_000;

/**
 * How long after its announcement a partition count is first used, in milliseconds. This exceeds the sum of the cache
 * lifetime, the duration of a request, and the difference between clocks.
 */
export const announcementPeriod = 5 * 60_000;

/** The number of partitions across which each key in an index is distributed. */
export interface Partitions {
  /** For all indexes except the one by transaction. */
  readonly count: number;
  /**
   * For the index by transaction. Half as many partitions are sufficient because this index has one write per instance.
   * In the other indexes, each change to a row replaces its entry, which takes two write units.
   */
  readonly byTransaction: number;
}

/** Returns how many partitions of each index key writers use at the given time. */
export const partitionsAt = (counts: PartitionCounts, now: number) =>
  partitionsOf(counts, now < counts.from ? counts.before : counts.count);

/** Returns how many partitions of each index key readers use. */
export const partitionsToRead = (counts: PartitionCounts) => partitionsOf(counts, counts.count);

/** Returns every partition count that may have been in use when a row was written. */
export function everyPartitions(counts: PartitionCounts): Partitions[] {
  const every: Partitions[] = [];
  for (let { first: count } = counts; count <= counts.count; count *= 2)
    every.push(partitionsOf(counts, count));
  return every;
}

const partitionsOf = ({ first }: PartitionCounts, count: number): Partitions => ({
  count,
  byTransaction: Math.max(first, count / 2),
});

/** The key of the item with the partition counts. Model ids are never empty, so the key matches no instance. */
export const partitionCountsKey = { pk: { S: '#partitions' }, sk: { S: 'PARTITIONS' } };

export const partitionCountsItem = (counts: PartitionCounts): Item => ({
  ...partitionCountsKey,
  ...Object.fromEntries(
    Object.entries(counts).map(([name, value]) => [name, { N: String(value) }]),
  ),
});

/** Reads the item with the partition counts from the instances table. */
export async function readPartitionCounts(
  client: DynamoDb,
  table: string,
): Promise<Item | undefined> {
  // All functions that use the table are allowed to call Query, but not all may call GetItem.
  const { Items = [] } = await client.query({
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': partitionCountsKey.pk },
    ConsistentRead: true,
  });
  return Items[0];
}

export function partitionCountsIn(item: Item | undefined): PartitionCounts {
  if (!item) return withoutItem;
  const number = (name: keyof PartitionCounts) => Number(item[name]!.N);
  return {
    first: number('first'),
    before: number('before'),
    count: number('count'),
    from: number('from'),
  };
}
