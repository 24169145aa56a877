import { promisify } from 'node:util';
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type { Item, Store, Table } from 'dynalite/db/index.js';
import { operationsOfWrite } from '../optimize-store.ts';
import { type ItemWrite, readItem } from '../write-items.ts';
import { cancelIfNeeded, reasonOf } from './cancellation.ts';
import type { IdempotentRequest } from './idempotent-request.ts';
import { withLockedItems } from './with-locked-items.ts';

/** An action of a transaction that writes an item or only checks it. */
export interface TransactionWrite {
  readonly table: Table;
  /** The key of the item, as returned by `db.createKey`. */
  readonly key: string;
  /** Returns the item after the write, as in `ItemWrite`, or the same object if the action does not write. */
  readonly change: (before: Item | undefined) => ReturnType<ItemWrite['change']> | undefined;
  /** True if the error of a failed condition must contain the item. */
  readonly returnsItem: boolean;
}

/** The items of a transaction before and after it. They are the same if the transaction was repeated. */
export interface WrittenItems {
  readonly isRepeated: boolean;
  readonly items: readonly {
    readonly before: Item | undefined;
    readonly after: Item | null | undefined;
  }[];
}

/**
 * Writes all items in one batch of the database, together with their index entries and change records, or writes
 * nothing and throws if an action fails. If the request is repeated, returns the current items without writing.
 */
export function writeAll(
  store: Store,
  writes: readonly TransactionWrite[],
  request: IdempotentRequest | undefined,
): Promise<WrittenItems> {
  return withLockedItems(store, request ? [...writes, request.lock] : writes, async () => {
    const isRepeated = request?.isRepeated ?? false;
    const current = writes.map(({ table, key }) => readItem(store, table, key));
    if (isRepeated)
      return { isRepeated, items: current.map((item) => ({ before: item, after: item })) };
    const reasons: (CancellationReason | undefined)[] = [];
    const items = writes.map(({ change, returnsItem }, n) => {
      const before = current[n];
      try {
        return { before, after: change(before) };
      } catch (error) {
        const reason = reasonOf(error);
        const isIncluded = returnsItem && before && reason.Code === 'ConditionalCheckFailed';
        reasons[n] = isIncluded ? { ...reason, Item: before } : reason;
        return { before, after: before };
      }
    });
    cancelIfNeeded(Array.from(writes, (_, n) => reasons[n]));
    const operations = writes.flatMap(({ table, key }, n) => {
      const { before, after } = items[n]!;
      return after === before ? [] : operationsOfWrite(store, table, key, before, after);
    });
    if (request) operations.push(request.operation);
    if (operations.length > 0) await promisify(store.db.batch)(operations);
    return { isRepeated, items };
  });
}
