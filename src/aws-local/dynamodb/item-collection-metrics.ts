import type { Item, Store, Table } from 'dynalite/db/index.js';
import { execute, type ItemOperation } from './dynalite-operations.ts';
import { readTable } from './write-items.ts';

interface SingleWrite {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Key?: Item;
  readonly ReturnItemCollectionMetrics?: string;
}

/** The size range of every item collection, in GB. The local endpoint does not measure item collections. */
const SizeEstimateRangeGB = [0, 1];

/**
 * Executes an operation. Adds `ItemCollectionMetrics` to the response if the request asks for it and the table has a
 * local secondary index.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ItemCollectionMetrics.html
 */
export async function executeWithMetrics(
  store: Store,
  name: ItemOperation,
  request: SingleWrite,
): Promise<object> {
  const { TableName, Item, Key, ReturnItemCollectionMetrics } = request;
  const response = await execute(store, name, request);
  if (ReturnItemCollectionMetrics !== 'SIZE' || TableName === undefined) return response;
  const ItemCollectionMetrics = itemCollectionMetrics(
    await readTable(store, TableName),
    (Item ?? Key)!,
  );
  return { ...response, ...(ItemCollectionMetrics && { ItemCollectionMetrics }) };
}

/** Returns the metrics of an item's collection, or undefined if the table has no local secondary index. */
export function itemCollectionMetrics(
  { KeySchema, LocalSecondaryIndexes = [] }: Table,
  item: Item,
): object | undefined {
  if (LocalSecondaryIndexes.length === 0) return undefined;
  const partitionKey = KeySchema[0]!.AttributeName;
  return { ItemCollectionKey: { [partitionKey]: item[partitionKey] }, SizeEstimateRangeGB };
}
