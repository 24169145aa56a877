import { promisify } from 'node:util';
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type { Item, Store, Table } from 'dynalite/db/index.js';
import { operationsOfWrite } from '../optimize-store.ts';
import { type ItemWrite, readItem } from '../write-items.ts';
import { cancelIfNeeded, reasonOf } from './cancellation.ts';
import { type Consumption, readConsumption } from './consumed-capacity.ts';
import type { IdempotentRequest } from './idempotent-request.ts';
import { withLockedItems } from './with-locked-items.ts';

/** An action of a transaction: it writes an item or only checks the item. */
export interface TransactionWrite {
  readonly table: Table;
  /** The key of the item, as returned by `db.createKey`. */
  readonly key: string;
  /** Returns the item after the write, as in `ItemWrite`, or the same object if the action does not write. */
  readonly change: (before: Item | undefined) => ReturnType<ItemWrite['change']> | undefined;
  /** True if the error of a failed condition must contain the item. */
  readonly returnsItem: boolean;
}

/**
 * Writes all items in one batch of the database, together with their index entries and change records, or writes
 * nothing and throws if an action fails. If the request is repeated, only reads the items.
 */
export function writeAll(
  store: Store,
  writes: readonly TransactionWrite[],
  request: IdempotentRequest | undefined,
): Promise<Consumption> {
  return withLockedItems(store, request ? [...writes, request.lock] : writes, async () => {
    const current = writes.map(({ table, key }) => readItem(store, table, key));
    if (request?.isRepeated) return readConsumption(writes, current);
    const reasons: (CancellationReason | undefined)[] = writes.map(() => undefined);
    const changed = writes.map(({ change, returnsItem }, n) => {
      const before = current[n];
      try {
        return change(before);
      } catch (error) {
        const reason = reasonOf(error);
        const isIncluded = returnsItem && before && reason.Code === 'ConditionalCheckFailed';
        reasons[n] = isIncluded ? { ...reason, Item: before } : reason;
        return before;
      }
    });
    cancelIfNeeded(reasons);
    const operations = writes.flatMap(({ table, key }, n) =>
      changed[n] === current[n] ? [] : operationsOfWrite(store, table, key, current[n], changed[n]),
    );
    if (request) operations.push(request.operation);
    if (operations.length > 0) await promisify(store.db.batch)(operations);
    return { kind: 'Write', actions: writes, items: current.map((item, n) => [item, changed[n]]) };
  });
}
