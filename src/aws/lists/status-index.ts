import pMap from 'p-map';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import type { statusIndexes } from '../instances/status-item.ts';
import { mergeNewest, type PartitionPage } from './merge-newest.ts';

/** The maximum number of concurrent queries per list. */
export const concurrency = 16;

/** A range of an index of the status rows: one or more of its partitions. */
export interface IndexRange {
  readonly index: (typeof statusIndexes)[keyof typeof statusIndexes];
  readonly partitions: readonly string[];
  /** The exclusive upper bound of the sort key. Default: the whole partition. */
  readonly below?: string;
}

/** A condition on the sort key of an index. */
export interface SortCondition {
  readonly comparison: string;
  readonly sort: string;
}

/** A sort key that sorts after every other sort key. */
export const highest = '~';

/** Returns a condition that matches sort keys below the given key. */
export const below = (sort: string): SortCondition => ({ comparison: '#sort < :sort', sort });

/** Reads the indexes of the instances table. */
export class StatusIndex {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Reads the newest items of a range and returns whether there are more. */
  async newest(
    range: IndexRange,
    condition: SortCondition,
    limit: number,
  ): Promise<{ items: Item[]; more: boolean }> {
    const pages = await this.firstPages(range, condition, limit);
    return mergeNewest(pages, (item) => item[range.index.sort]!.S!);
  }

  /** Reads up to `limit` items of each partition of a range, newest first, with one request per partition. */
  firstPages(
    { index, partitions }: IndexRange,
    condition: SortCondition,
    limit: number,
    select: 'ALL_PROJECTED_ATTRIBUTES' | 'COUNT' = 'ALL_PROJECTED_ATTRIBUTES',
  ): Promise<(PartitionPage & { readonly count: number })[]> {
    return pMap(
      partitions,
      async (partition) => {
        const { Items, Count, LastEvaluatedKey } = await this.#client.query({
          TableName: this.#table,
          IndexName: index.name,
          KeyConditionExpression: `#partition = :partition AND ${condition.comparison}`,
          ExpressionAttributeNames: { '#partition': index.partition, '#sort': index.sort },
          ExpressionAttributeValues: {
            ':partition': { S: partition },
            ':sort': { S: condition.sort },
          },
          ScanIndexForward: false,
          Limit: limit,
          Select: select,
        });
        return { items: Items ?? [], count: Count ?? 0, cut: LastEvaluatedKey !== undefined };
      },
      { concurrency },
    );
  }
}
