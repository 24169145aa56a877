import type { Item, Store, Table } from 'dynalite/db/index.js';
import { validationError } from '../dynamodb-error.ts';
import { readItem } from '../write-items.ts';
import { maximumBytes, totalSize } from './transaction-rules.ts';
import { withLockedItems } from './with-locked-items.ts';

/**
 * Reads items, which may belong to several tables, as they were at one point in time. Waits for ongoing writes to these
 * items because LevelDB could apply a batch between two reads.
 */
export async function readAll(
  store: Store,
  reads: readonly { readonly table: Table; readonly key: string }[],
): Promise<readonly (Item | undefined)[]> {
  const items = await withLockedItems(store, reads, () =>
    reads.map(({ table, key }) => readItem(store, table, key)),
  );
  if (totalSize(items) > maximumBytes)
    throw validationError(`Payload in response is too large. Payload Size: ${totalSize(items)}`);
  return items;
}
