import db, { type Item, type Operation, type Store, type Table } from 'dynalite/db/index.js';

/** Items that the store holds already when dynalite comes to write them. */
const alreadyWritten = new WeakSet<Item>();

/** Has a store of dynalite do with less what it does at each request. */
export function optimizeStore(store: Store): void {
  readSynchronously(store);
  cacheTables(store);
  batchWrites(store);
  writeItemWithIndexes(store);
}

/**
 * Reads in the thread that asks: what LevelDB has in memory takes microseconds, and the way through
 * a thread of the pool many times that.
 */
function readSynchronously({ db: level }: Store): void {
  const readLater = level.get;
  level.get = (key, done) => {
    // What was asked before LevelDB was open comes back with options, for a promise.
    if (level.status !== 'open' || typeof done !== 'function') return readLater(key, done);
    try {
      return process.nextTick(done, null, level.getSync(key));
    } catch (error) {
      return process.nextTick(done, error);
    }
  };
}

/** A table's description is read and parsed once, and not for each of its items. */
function cacheTables(store: Store): void {
  const tables = new Map<string, Table>();
  const { tableDb } = store;
  const { getTable } = store;
  store.getTable = (name, ...rest) => {
    const [done] = rest;
    // Who asks for tables of any status is about to change one.
    if (typeof done !== 'function') return getTable(name, ...rest);
    const table = tables.get(name);
    if (table !== undefined) return process.nextTick(done, null, table);
    getTable(name, (error, found) => {
      if (found?.TableStatus === 'ACTIVE') tables.set(name, found);
      done(error, found);
    });
  };
  const { put, del } = tableDb;
  // It may be read again while it is written.
  const forgetting = (name: string, done: Callback) => {
    tables.delete(name);
    return (error?: unknown) => {
      tables.delete(name);
      done(error);
    };
  };
  tableDb.put = (name, table, done) => put(name, table, forgetting(name, done));
  tableDb.del = (name, done) => del(name, forgetting(name, done));
}

type Callback = (error?: unknown) => void;

/**
 * What comes while LevelDB writes is written next, all of it in one batch: that is one call and one way
 * through the pool instead of one for each item. Nobody is told of a write before it is done.
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
 * dynalite writes an item's index entries one by one and then the item, so that a kill between
 * them leaves the index wrong for ever. This has it write all of them in one batch, which LevelDB
 * does wholly or not at all, and once.
 */
function writeItemWithIndexes({ db: level }: Store): void {
  db.updateIndexes = (store, table, before, after, done) => {
    const operations = indexOperations(table, before, after);
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
