import type { InstanceKey } from '../../core/event/event.ts';
import type { Item } from '../client/dynamodb.ts';
import { projectionOf } from '../dynamodb/batch-get.ts';
import { commitKey, sortKeysBetween } from './instance-keys.ts';
import type { InstancesTable } from './instances-table.ts';

/** The maximum version: a commit's sort key contains ten digits. */
const maximumVersion = 9_999_999_999;

/** A range of an instance's items, and the order in which they are read. */
interface ItemRange {
  /** The version of the first commit. */
  readonly from?: number;
  /** The sort key of the last item. Default: that of the latest commit. */
  readonly upTo?: string;
  readonly descending: boolean;
  /** The maximum number of items. Default: as many as DynamoDB returns in one response of up to 1 MB. */
  readonly limit?: number;
  /** The attributes to read. Default: all attributes. */
  readonly attributes?: readonly string[];
  /** False for an eventually consistent read, which costs half as much but can miss recent writes. Default: true. */
  readonly isConsistent?: boolean;
}

/** Reads an instance's items in a range with one request. `cut` is true if the response is truncated. */
export async function readItems(
  { client, table }: InstancesTable,
  key: InstanceKey,
  range: ItemRange,
): Promise<{ items: Item[]; cut: boolean }> {
  const { from = 1, upTo = commitKey(maximumVersion), descending, limit } = range;
  const { attributes, isConsistent = true } = range;
  const { Items, LastEvaluatedKey } = await client.query({
    TableName: table,
    ...sortKeysBetween(key, commitKey(from), upTo),
    ...(attributes && projectionOf(attributes)),
    ConsistentRead: isConsistent,
    ScanIndexForward: !descending,
    Limit: limit,
  });
  return { items: Items ?? [], cut: LastEvaluatedKey !== undefined };
}

/**
 * Reads the last item among an instance's commits and parked events.
 *
 * @param upTo the sort key of the last item to consider. Default: that of the latest commit.
 */
export async function readLastItem(
  table: InstancesTable,
  key: InstanceKey,
  upTo?: string,
): Promise<Item | undefined> {
  const { items } = await readItems(table, key, { upTo, descending: true, limit: 1 });
  return items[0];
}
