import type { Item, Operation, Store, Table } from 'dynalite/db/index.js';
import { databaseKey, operationsOfWrite } from './optimize-store.ts';

export interface ItemWrite {
  /** The key of the item, as returned by `db.createKey`. */
  readonly key: string;
  /** Returns the item after the write, or `null` to delete it. Throws if the write must fail. */
  readonly change: (before: Item | undefined) => Item | null;
}

/**
 * Writes several items of a table in one batch of the database. They must have different keys. Returns the error
 * of each write, or `undefined` for a successful write, in the same order. Like dynalite's own operations, locks all
 * items during the write.
 */
export function writeItems(
  store: Store,
  table: Table,
  writes: readonly ItemWrite[],
): Promise<unknown[]> {
  const keys = writes.map(({ key }) => key);
  return new Promise((resolve, reject) => {
    store.getItemDb(table.TableName).lock(keys, (release) => {
      const operations: Operation[] = [];
      const errors = writes.map(({ key, change }) => {
        const before = readItem(store, table, key);
        try {
          operations.push(...operationsOfWrite(store, table, key, before, change(before)));
          return undefined;
        } catch (error) {
          return error;
        }
      });
      const done = release((error) => (error ? reject(error) : resolve(errors)));
      if (operations.length === 0) done();
      else store.db.batch(operations, done);
    });
  });
}

/** Reads the description of a table. Throws a `ResponseError` if the table does not exist. */
export function readTable(store: Store, name: string): Promise<Table> {
  return new Promise((resolve, reject) => {
    store.getTable(name, (error, table) => (error ? reject(error) : resolve(table)));
  });
}

/** Reads an item by its key, as returned by `db.createKey`. */
export const readItem = (store: Store, table: Table, key: string): Item | undefined =>
  store.db.getSync(databaseKey(table, key)) as Item | undefined;
