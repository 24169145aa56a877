import db, { type Item, type Operation, type Store, type Table } from 'dynalite/db/index.js';
import { operationsOfChange } from './item-changes.ts';

/** Items that were stored together with their index entries, so that dynalite's own write of them is skipped. */
const alreadyWritten = new WeakSet<Item>();

/** Reduces the work that a dynalite store does per request. */
export function optimizeStore(store: Store): void {
  readSynchronously(store);
  cacheTables(store);
  batchWrites(store);
  writeItemWithIndexes(store);
}

/**
 * Reads synchronously. Reading data that LevelDB has in memory takes microseconds; a round trip through the thread pool
 * takes many times longer.
 */
function readSynchronously({ db: level }: Store): void {
  const readLater = level.get;
  level.get = (key, done) => {
    // LevelDB defers reads until it is open, and then calls this function with options instead of a callback.
    if (level.status !== 'open' || typeof done !== 'function') return readLater(key, done);
    try {
      return process.nextTick(done, null, level.getSync(key));
    } catch (error) {
      return process.nextTick(done, error);
    }
  };
}

/** Reads and parses a table's description once instead of once per item. */
function cacheTables(store: Store): void {
  const tables = new Map<string, Table>();
  const { tableDb } = store;
  const { getTable } = store;
  store.getTable = (name, ...rest) => {
    const [done] = rest;
    // Callers that pass `checkStatus` accept tables of any status, because they are about to change one.
    if (typeof done !== 'function') return getTable(name, ...rest);
    const table = tables.get(name);
    if (table !== undefined) return process.nextTick(done, null, table);
    getTable(name, (error, found) => {
      if (found?.TableStatus === 'ACTIVE') tables.set(name, found);
      done(error, found);
    });
  };
  const { put, del } = tableDb;
  // Delete the cached table before and after the write, because a read between them caches the old description.
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

type Callback = (error?: unknown) => void;

/**
 * Combines writes that arrive during a write into one batch, which needs a single round trip through the thread pool
 * instead of one per item. Callers are notified only after their write is done.
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
 * Writes an item with all its index entries and its change record in one batch, which LevelDB applies atomically. dynalite itself writes them
 * one by one, so killing the process between two writes would corrupt the index permanently.
 */
function writeItemWithIndexes({ db: level }: Store): void {
  db.updateIndexes = (store, table, before, after, done) => {
    const operations = [
      ...indexOperations(table, before, after),
      ...operationsOfChange(store, table, before, after),
    ];
    const item = after ?? before;
    if (operations.length === 0 || item === null || item === undefined) return done();
    const key = `item-${table.TableName}~${db.createKey(item, table)}`;
    operations.push(after ? { type: 'put', key, value: after } : { type: 'del', key });
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

function indexOperations(
  table: Table,
  before: Item | null | undefined,
  after: Item | null | undefined,
): Operation[] {
  return (['Local', 'Global'] as const).flatMap((kind) => {
    const indexes = table[`${kind}SecondaryIndexes`] ?? [];
    const { puts, deletes } = db.getIndexActions(indexes, before, after, table);
    const place = (index: string) => `index-${kind.toLowerCase()}~${table.TableName}~${index}~`;
    return [
      ...deletes.map(({ index, key }) => ({ type: 'del' as const, key: place(index) + key })),
      ...puts.map(({ index, key, item }) => ({
        type: 'put' as const,
        key: place(index) + key,
        value: item,
      })),
    ];
  });
}
