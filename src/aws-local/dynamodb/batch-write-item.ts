import db, { type Item, type Store, type Table } from 'dynalite/db/index.js';
import { isJsonObject } from '../../common/is-json-object.ts';
import { execute } from './dynalite-operations.ts';
import { isPlain } from './plain-values.ts';
import { type ItemWrite, readTable, writeItems } from './write-items.ts';

interface BatchWriteItemRequest {
  readonly RequestItems?: Readonly<Record<string, readonly WriteRequest[]>>;
}

interface WriteRequest {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

const maximumWrites = 25;

/**
 * Implements `BatchWriteItem`. Writes all items together if they belong to one table and are known to be valid, and the
 * request has no other parameters. dynalite executes all other requests, or explains why they are invalid.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 */
export async function batchWriteItem(
  store: Store,
  request: BatchWriteItemRequest,
): Promise<object> {
  const { RequestItems, ...others } = request;
  const [[name, requests] = ['', []], ...moreTables] = Object.entries(RequestItems ?? {});
  const isSimple =
    moreTables.length === 0 &&
    Object.keys(others).length === 0 &&
    Array.isArray(requests) &&
    requests.length > 0 &&
    requests.length <= maximumWrites &&
    requests.every(isJsonObject);
  if (isSimple) {
    const table = await readTable(store, name);
    const writes = requests.map((each) => writeOf(each, table));
    const keys = new Set(writes.map((write) => write?.key));
    if (keys.size === writes.length && !keys.has(undefined)) {
      await writeItems(store, table, writes as ItemWrite[]);
      return { UnprocessedItems: {} };
    }
  }
  return await execute(store, 'BatchWriteItem', request);
}

/** Returns undefined if the request may be invalid. */
function writeOf(request: WriteRequest, table: Table): ItemWrite | undefined {
  const [kind, ...others] = Object.keys(request);
  const { PutRequest, DeleteRequest } = request;
  const item = kind === 'PutRequest' ? PutRequest?.Item : DeleteRequest?.Key;
  if (others.length > 0 || !isPlain(item)) return undefined;
  const after = kind === 'PutRequest' ? item : null;
  if (after === null ? db.validateKey(item, table) : db.validateItem(item, table)) return undefined;
  return { key: db.createKey(item, table), change: () => after };
}
