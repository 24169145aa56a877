import type { Item, Operation, Store, Table } from 'dynalite/db/index.js';

/**
 * Returns the operations that must be written atomically with a change to an item. Without `before`, the change creates
 * the item; without `after`, it deletes the item.
 */
export type ItemChangeListener = (
  table: Table,
  before: Item | null | undefined,
  after: Item | null | undefined,
) => readonly Operation[];

const listenersOf = new WeakMap<Store, ItemChangeListener[]>();

/** Registers a listener that is called before every change to an item, while the item is locked. */
export function onItemChange(store: Store, listener: ItemChangeListener): void {
  listenersOf.set(store, [...(listenersOf.get(store) ?? []), listener]);
}

/** Returns the operations that the listeners of a store add to a change. */
export function operationsOfChange(
  store: Store,
  ...change: Parameters<ItemChangeListener>
): readonly Operation[] {
  const listeners = listenersOf.get(store);
  return listeners === undefined ? [] : listeners.flatMap((listener) => listener(...change));
}
