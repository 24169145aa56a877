import db, { type Item, type Projection, type Store } from 'dynalite/db/index.js';
import validations from 'dynalite/validations/index.js';
import { isJsonObject } from '../../common/is-json-object.ts';
import { execute } from './dynalite-operations.ts';
import { databaseKey } from './optimize-store.ts';
import { isPlain } from './plain-values.ts';
import { readTable } from './write-items.ts';

interface BatchGetItemRequest {
  readonly RequestItems?: Readonly<Record<string, KeysAndAttributes>>;
}

interface KeysAndAttributes {
  readonly Keys: readonly Item[];
  readonly ConsistentRead?: boolean;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
}

/** A valid request: the keys of the items in the database, and the attributes to return. */
interface Reads {
  readonly keys: readonly string[];
  readonly paths: Projection['paths'] | undefined;
}

const maximumKeys = 100;
const maximumResponseBytes = 16 * 1024 * 1024;

/**
 * Implements `BatchGetItem` and returns the response as JSON. The database stores items as JSON, which is copied into
 * the response without parsing unless the request has a projection. dynalite executes requests that may be invalid,
 * read several tables, or have other parameters, such as `ReturnConsumedCapacity`.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
export async function batchGetItem(store: Store, request: BatchGetItemRequest): Promise<string> {
  const { RequestItems, ...others } = request;
  const [[name, wanted] = ['', undefined], ...moreTables] = Object.entries(RequestItems ?? {});
  if (isJsonObject(wanted) && moreTables.length === 0 && Object.keys(others).length === 0) {
    const reads = await readsOf(store, name, wanted);
    if (reads !== undefined) return read(store, name, wanted, reads);
  }
  return JSON.stringify(await execute(store, 'BatchGetItem', request));
}

/** Returns undefined if the request may be invalid. */
async function readsOf(
  store: Store,
  name: string,
  wanted: KeysAndAttributes,
): Promise<Reads | undefined> {
  const { Keys, ConsistentRead: _, ...expressions } = wanted;
  if (!Array.isArray(Keys) || Keys.length === 0 || Keys.length > maximumKeys) return undefined;
  const table = await readTable(store, name);
  if (!Keys.every((key) => isPlain(key) && !db.validateKey(key, table))) return undefined;
  const keys = Keys.map((key) => databaseKey(table, db.createKey(key, table)));
  if (new Set(keys).size < keys.length) return undefined;
  const { ProjectionExpression, ExpressionAttributeNames, ...unknown } = expressions;
  if (Object.keys(unknown).length > 0) return undefined;
  if (ProjectionExpression === undefined)
    return ExpressionAttributeNames === undefined ? { keys, paths: undefined } : undefined;
  const parsed: typeof expressions & { _projection?: Projection } = { ...expressions };
  if (validations.validateExpressions(parsed) || parsed._projection === undefined) return undefined;
  const { paths, nestedPaths } = parsed._projection;
  return db.validateKeyPaths(nestedPaths, table) ? undefined : { keys, paths };
}

/** Returns the response as JSON. When the response is full, the remaining keys are returned as unprocessed. */
function read(
  store: Store,
  name: string,
  wanted: KeysAndAttributes,
  { keys, paths }: Reads,
): string {
  const items: string[] = [];
  const UnprocessedKeys: Record<string, KeysAndAttributes> = {};
  let bytes = 0;
  // DynamoDB returns the items in no particular order. Reversing the keys exposes clients that rely on an order.
  for (let n = keys.length - 1; n >= 0; n -= 1) {
    const json = store.db.getSync(keys[n]!, { valueEncoding: 'utf8' }) as string | undefined;
    if (json === undefined) continue;
    bytes += Buffer.byteLength(json);
    if (bytes > maximumResponseBytes) {
      UnprocessedKeys[name] = { ...wanted, Keys: wanted.Keys.slice(0, n + 1) };
      break;
    }
    items.push(paths ? JSON.stringify(db.mapPaths(paths, JSON.parse(json) as Item)) : json);
  }
  const Responses = `{${JSON.stringify(name)}:[${items.join(',')}]}`;
  return `{"Responses":${Responses},"UnprocessedKeys":${JSON.stringify(UnprocessedKeys)}}`;
}
