import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import db, {
  type Index,
  type Item,
  type Operation,
  type Store,
  type Table,
} from 'dynalite/db/index.js';
import { validationError } from './dynamodb-error.ts';
import { operationsOfChange } from './item-changes.ts';
import { createItemLock } from './item-lock.ts';
import { itemProblem } from './request-values.ts';

/**
 * Items that are already stored together with their index entries. dynalite's own writes of these items are skipped.
 */
const alreadyWritten = new WeakSet<Item>();

/** Reduces the work per request and the memory of a dynalite store, and makes it write each item atomically. */
export function optimizeStore(store: Store): void {
  configureLevelDb(store);
  readSynchronously(store);
  readManyValues(store);
  cacheTables(store);
  lockFaster(store);
  batchWrites(store);
  writeItemWithIndexes(store);
}

/**
 * The options of LevelDB that limit the memory of the process and the work for each write.
 *
 * @see https://github.com/Level/classic-level#options
 */
const levelOptions = {
  // The minimum that LevelDB accepts: 64 data files of up to 2 MB, and 10 other files. LevelDB maps open files into
  // memory, so with the default of 1,000 files, the memory of the process would grow with the stored data.
  maxOpenFiles: 74,
  // The size of the buffer in memory that LevelDB sorts before it writes a file, in bytes. With the default of 4 MB,
  // LevelDB merges four times as many files.
  writeBufferSize: 16 * 1024 * 1024,
};

function configureLevelDb({ db: level }: Store): void {
  const open = level._open.bind(level);
  level._open = (options) => open({ ...options, ...levelOptions });
}

/**
 * Reads synchronously because reading from LevelDB's memory takes microseconds, whereas a round trip through the
 * thread pool takes many times longer.
 */
function readSynchronously({ db: level }: Store): void {
  const readLater = level.get;
  level.get = (key, done) => {
    // For reads that were deferred until LevelDB is open, LevelDB calls this function with options instead of a
    // callback.
    if (level.status !== 'open' || typeof done !== 'function') return readLater(key, done);
    try {
      return process.nextTick(done, null, level.getSync(key));
    } catch (error) {
      return process.nextTick(done, error);
    }
  };
}

/** The maximum number of values that a query reads per round trip. A query reads fewer values if they exceed 64 KB. */
const valuesPerRead = 100;
const highWaterMarkBytes = 64 * 1024;

/** Makes queries read many values per round trip through the thread pool, instead of one. */
function readManyValues({ db: level }: Store): void {
  level.createValueStream = (options) => {
    const values = level.values({ highWaterMarkBytes, ...options });
    return new Readable({
      objectMode: true,
      highWaterMark: valuesPerRead,
      read() {
        values.nextv(valuesPerRead).then(
          (read) => {
            for (const value of read) this.push(value);
            if (read.length === 0) this.push(null);
          },
          (error: Error) => this.destroy(error),
        );
      },
      destroy(error, done) {
        callbackify(() => values.close())((failure) => done(failure ?? error));
      },
    });
  };
}

/** Caches the parsed descriptions of tables, which dynalite would otherwise read for every item. */
function cacheTables(store: Store): void {
  const tables = new Map<string, Table>();
  const { tableDb } = store;
  const { getTable } = store;
  store.getTable = (name, ...rest) => {
    const [done] = rest;
    // Do not use the cache for callers that pass `checkStatus`: they accept any status because they change the table.
    if (typeof done !== 'function') return getTable(name, ...rest);
    const table = tables.get(name);
    if (table !== undefined) return process.nextTick(done, null, table);
    getTable(name, (error, found) => {
      if (found?.TableStatus === 'ACTIVE') tables.set(name, found);
      done(error, found);
    });
  };
  const { put, del } = tableDb;
  // Delete the cached description before and after the write because a read during the write caches the old
  // description.
  const invalidating = (name: string, done: Callback) => {
    tables.delete(name);
    return (error?: unknown) => {
      tables.delete(name);
      done(error);
    };
  };
  tableDb.put = (name, table, done) => put(name, table, invalidating(name, done));
  tableDb.del = (name, done) => del(name, invalidating(name, done));
}

/** Replaces dynalite's lock of each table's items with a faster lock. */
function lockFaster(store: Store): void {
  const { getItemDb } = store;
  const changed = new WeakSet<object>();
  store.getItemDb = (table) => {
    const items = getItemDb(table);
    if (!changed.has(items)) items.lock = createItemLock();
    changed.add(items);
    return items;
  };
}

type Callback = (error?: unknown) => void;

/**
 * Combines the writes that arrive during a write into one batch, which takes one round trip through the thread pool
 * instead of one per item. Each caller is notified only after its write is done.
 */
function batchWrites({ db: level }: Store): void {
  const { batch, put } = level;
  let next: { operations: Operation[]; done: Callback }[] = [];
  let isWriting = false;
  const write = () => {
    const writes = next;
    next = [];
    batch(
      writes.flatMap(({ operations }) => operations),
      (error) => {
        isWriting = next.length > 0;
        if (isWriting) write();
        for (const { done } of writes) done(error);
      },
    );
  };
  const add = (operations: Operation[], done: Callback) => {
    next.push({ operations, done });
    if (isWriting) return;
    isWriting = true;
    setImmediate(write);
  };
  level.batch = (operations, done) =>
    typeof done === 'function' ? add(operations, done) : batch(operations, done);
  level.put = (key, value, done) =>
    typeof done === 'function' ? add([{ type: 'put', key, value }], done) : put(key, value, done);
}

/**
 * Writes an item with all index entries and the change record in one batch, which LevelDB applies atomically. dynalite
 * writes each of these parts separately, so killing the process between two writes would corrupt an index permanently.
 * Rejects an item to which an update has added too many levels.
 */
function writeItemWithIndexes({ db: level }: Store): void {
  db.updateIndexes = (store, table, before, after, done) => {
    const item = after ?? before;
    if (!item) return done();
    const problem = after && itemProblem(after);
    if (problem) return done(validationError(problem));
    const operations = operationsOfWrite(store, table, db.createKey(item, table), before, after);
    // If only the item itself must be written, leave the write to dynalite.
    if (operations.length <= 1) return done();
    store.db.batch(operations, (error) => {
      if (after && !error) alreadyWritten.add(after);
      done(error);
    });
  };
  const { put } = level;
  level.put = (key, value, done) => {
    if (typeof done === 'function' && alreadyWritten.delete(value)) return process.nextTick(done);
    return put(key, value, done);
  };
}

/** Returns the operations that write or delete an item, its index entries, and its change record. */
export function operationsOfWrite(
  store: Store,
  table: Table,
  itemKey: string,
  before: Item | null | undefined,
  after: Item | null | undefined,
): Operation[] {
  if (!before && !after) return [];
  const operations = [
    ...indexOperations(table, before, after),
    ...operationsOfChange(store, table, before, after),
  ];
  const key = databaseKey(table, itemKey);
  if (after) operations.push({ type: 'put', key, value: after });
  else if (before) operations.push({ type: 'del', key });
  return operations;
}

/** Returns the key of an item in the database. */
export const databaseKey = ({ TableName }: Pick<Table, 'TableName'>, key: string): string =>
  `item-${TableName}~${key}`;

/** Returns the operations that write or delete the entries of an item in all indexes of its table. */
export function indexOperations(
  table: Table,
  before: Item | null | undefined,
  after: Item | null | undefined,
): Operation[] {
  const types = typesOf(table);
  return (['Local', 'Global'] as const).flatMap((kind) => {
    const indexes = table[`${kind}SecondaryIndexes`] ?? [];
    const operationsOf = (some: readonly Index[], old: typeof before, current: typeof after) => {
      const { puts, deletes } = db.getIndexActions(some, old, current, table);
      const place = (index: string) => indexPrefix(kind, table, index);
      return [
        ...deletes.map(({ index, key }) => ({ type: 'del' as const, key: place(index) + key })),
        ...puts.map(({ index, key, item }) => ({
          type: 'put' as const,
          key: place(index) + key,
          value: item,
        })),
      ];
    };
    const fits = (index: Index, item: typeof after) => !item || canContain(index, types, item);
    // Only an item that is older than an index can have other types; the index then does not contain the item.
    return indexes.every((index) => fits(index, before) && fits(index, after))
      ? operationsOf(indexes, before, after)
      : indexes.flatMap((index) => {
          const [old, current] = [before, after].map((item) =>
            fits(index, item) ? item : undefined,
          );
          return operationsOf([index], old, current);
        });
  });
}

/** Returns false if the item has an attribute of the index's key with a type other than the defined type. */
const canContain = ({ KeySchema }: Index, types: ReadonlyMap<string, string>, item: Item) =>
  KeySchema.every(({ AttributeName: name }) => {
    const type = types.get(name);
    return type === undefined || !Object.hasOwn(item, name) || Object.hasOwn(item[name]!, type);
  });

const knownTypes = new WeakMap<object, ReadonlyMap<string, string>>();

/** Returns the types of a table's key attributes, by name. */
export function typesOf({
  AttributeDefinitions: definitions = [],
}: Table): ReadonlyMap<string, string> {
  const known = knownTypes.get(definitions);
  if (known) return known;
  const types = new Map(
    definitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  );
  knownTypes.set(definitions, types);
  return types;
}

/** Returns the start of the keys of an index's entries in the database. */
export const indexPrefix = (
  kind: 'Local' | 'Global',
  { TableName }: Pick<Table, 'TableName'>,
  index: string,
): string => `index-${kind.toLowerCase()}~${TableName}~${index}~`;
