import pMap from 'p-map';
import type { ListOrder } from '../../api/stores/instance-lists.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import type { statusIndexes } from '../instances/status-indexes.ts';
import { mergePages, type PartitionPage, unfinishedPages } from './merge-pages.ts';

/** The maximum number of concurrent queries per list. */
export const concurrency = 16;

/** A range in an index of the status rows: any number of partitions, up to an optional bound. */
export interface IndexRange {
  readonly index: (typeof statusIndexes)[keyof typeof statusIndexes];
  readonly partitions: readonly string[];
  /** The exclusive upper bound of the sort key. Default: the whole partition. */
  readonly below?: string;
}

/** A condition on an index's sort key. */
export interface SortCondition {
  readonly comparison: string;
  readonly sort: string;
}

/** A sort key that sorts after every other sort key. */
const highest = '~';
/** A sort key that sorts before every other sort key. DynamoDB does not accept empty keys. */
const lowest = '!';

/** Matches every sort key. */
export const anySort: SortCondition = { comparison: '#sort < :sort', sort: highest };

/**
 * Returns a condition that matches the sort keys after the given key in the order of a list.
 *
 * @param sort the given key. Default: the condition matches all sort keys.
 */
export const following = (order: ListOrder, sort?: string): SortCondition =>
  order === 'oldest'
    ? { comparison: '#sort > :sort', sort: sort ?? lowest }
    : { comparison: '#sort < :sort', sort: sort ?? highest };

/** Reads the instances table's indexes. */
export class StatusIndex {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Reads the first items of a range in the given order and returns whether more items follow. The result contains at
   * least `limit` items, unless the range has fewer.
   *
   * A range can have hundreds of partitions, and each partition usually contains only a few of the first items. The
   * first request to each partition therefore reads only its share of the items. Partitions that can contain more of
   * the first items are read again, up to the limit.
   */
  async first(
    range: IndexRange,
    condition: SortCondition,
    limit: number,
    order: ListOrder = 'newest',
  ): Promise<{ items: Item[]; more: boolean }> {
    const placeOf = (item: Item) => item[range.index.sort]!.S!;
    // The last item of an incomplete page is not used: see `mergePages`.
    const enough = limit + 1;
    const share = Math.min(enough, Math.ceil((2 * enough) / range.partitions.length) + 1);
    const pages = await this.firstPages(range, condition, share, { order });
    const unfinished = share < enough ? unfinishedPages(pages, placeOf, { limit, order }) : [];
    const partitions = unfinished.map((page) => range.partitions[page]!);
    const longer = await this.firstPages({ ...range, partitions }, condition, enough, { order });
    const finished = new Map(unfinished.map((page, n) => [page, longer[n]!]));
    return mergePages(
      pages.map((page, n) => finished.get(n) ?? page),
      placeOf,
      order,
    );
  }

  /** Reads up to `limit` items from each partition of a range in the given order, with one request per partition. */
  firstPages(
    { index, partitions }: IndexRange,
    condition: SortCondition,
    limit: number,
    {
      order = 'newest',
      select = 'ALL_PROJECTED_ATTRIBUTES',
    }: { order?: ListOrder; select?: 'ALL_PROJECTED_ATTRIBUTES' | 'COUNT' } = {},
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
          ScanIndexForward: order === 'oldest',
          Limit: limit,
          Select: select,
        });
        return { items: Items ?? [], count: Count ?? 0, cut: LastEvaluatedKey !== undefined };
      },
      { concurrency },
    );
  }
}
