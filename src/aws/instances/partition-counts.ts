import type { DynamoDb, Item } from '../client/dynamodb.ts';

/**
 * The number of partitions that each index key is distributed over, now and after the announced growth.
 *
 * Every number is a power of two, and the number never falls. The partitions of a number are therefore among the
 * partitions of every higher number: a reader of the highest number finds all rows, and a writer with an outdated
 * number still writes to partitions that readers read.
 */
export interface PartitionCounts {
  /**
   * The first number of the installation. Every other number is a multiple, so an instance always belongs to the same
   * partition modulo this number.
   */
  readonly first: number;
  /** The number that writers use before `from`. */
  readonly before: number;
  /** The number that writers use from `from` on. Readers use it as soon as they know it. */
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly from: number;
}

/**
 * The numbers of an installation without the item. Before the number could grow, it was eight, so that installations of
 * that time need no migration.
 */
export const withoutItem: PartitionCounts = { first: 8, before: 8, count: 8, from: 0 };

/** The numbers of an installation without instances. */
export const newInstallation: PartitionCounts = { first: 2, before: 2, count: 2, from: 0 };

/** The time for which processes may use numbers that they have read, in milliseconds. */
export const cacheLifetime = 60_000;

/**
 * The time between the announcement of a number and its use, in milliseconds. It exceeds the lifetime of caches, plus
 * the duration of a request, plus the difference between clocks.
 */
export const announcementPeriod = 5 * 60_000;

/** The numbers of partitions of the keys of each index. */
export interface Partitions {
  /** For all indexes except the one by transaction. */
  readonly count: number;
  /**
   * For the index by transaction. Half of the partitions are sufficient: an entry is written once per instance, while
   * each change of a row replaces its entry in other indexes, which takes two write units.
   */
  readonly byTransaction: number;
}

/** Returns the numbers of partitions that writers use at a time. */
export const partitionsAt = (counts: PartitionCounts, now: number) =>
  partitionsOf(counts, now < counts.from ? counts.before : counts.count);

/** Returns the numbers of partitions that readers use. */
export const partitionsToRead = (counts: PartitionCounts) => partitionsOf(counts, counts.count);

/** Returns all numbers of partitions with which a row can have been written. */
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

/** The key of the item with the numbers. Model ids are never empty, so the key matches no instance. */
const partitionCountsKey = { pk: { S: '#partitions' }, sk: { S: 'PARTITIONS' } };

/** Builds the item with the numbers. */
export const partitionCountsItem = (counts: PartitionCounts): Item => ({
  ...partitionCountsKey,
  ...Object.fromEntries(
    Object.entries(counts).map(([name, value]) => [name, { N: String(value) }]),
  ),
});

/** Reads the item with the numbers from the instances table. */
export async function readPartitionCounts(
  client: DynamoDb,
  table: string,
): Promise<Item | undefined> {
  // Unlike GetItem, all functions that use the table have the permission for Query.
  const { Items = [] } = await client.query({
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': partitionCountsKey.pk },
    ConsistentRead: true,
  });
  return Items[0];
}

/** Parses the item with the numbers. */
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
