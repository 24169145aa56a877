import type { Store, Table } from 'dynalite/db/index.js';
import { validationError } from '../dynamodb-error.ts';
import { databaseKey } from '../optimize-store.ts';

/** The table of an item, and the item's key, as returned by `db.createKey`. */
export interface ItemAddress {
  readonly table: Pick<Table, 'TableName'>;
  readonly key: string;
}

/**
 * Calls a function while several items, which may belong to different tables, are locked. All keys are queued before
 * another caller runs, so callers cannot deadlock. Throws a `ResponseError` if two addresses are the same.
 *
 * A concurrent write waits for the lock. In AWS, one of the two requests can fail with `TransactionConflict` instead,
 * and the SDKs retry it. Clients cannot rely on such a conflict, so waiting is permitted.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 */
export async function withLockedItems<Result>(
  store: Store,
  items: readonly ItemAddress[],
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const keys = new Set(items.map(({ table, key }) => databaseKey(table, key)));
  if (keys.size < items.length)
    throw validationError('Transaction request cannot include multiple operations on one item');
  const releases = await new Promise<(() => void)[]>((resolve) => {
    const locked: (() => void)[] = [];
    for (const { table, key } of items)
      store.getItemDb(table.TableName).lock(key, (release) => {
        locked.push(release(() => {}));
        if (locked.length === items.length) resolve(locked);
      });
  });
  try {
    return await work();
  } finally {
    for (const release of releases) release();
  }
}
