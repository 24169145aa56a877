import db, { type Item, type Table } from 'dynalite/db/index.js';
import type { WrittenItems } from './write-all.ts';

interface Action {
  readonly table: Table;
}

type Items = readonly (Item | null | undefined)[];

/** Returns the capacity that a transaction consumed by reading an item for each action. */
export const capacityOfReads = (
  level: string | undefined,
  actions: readonly Action[],
  items: Items,
) =>
  consumedCapacity(
    level,
    'Read',
    actions,
    items.map((item) => [item]),
  );

/** Returns the capacity that a transaction consumed by writing, or by reading the items if it was repeated. */
export const capacityOfWrites = (
  level: string | undefined,
  actions: readonly Action[],
  { isRepeated, items }: WrittenItems,
) => consumedCapacity(level, isRepeated ? 'Read' : 'Write', actions, items.map(Object.values));

/**
 * Returns the capacity that a transaction consumed in each table, if the request asks for it. An action consumes twice
 * the capacity of an operation that is not part of a transaction. As in dynalite, the capacity of indexes is missing.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
 */
function consumedCapacity(
  level: string | undefined,
  kind: 'Read' | 'Write',
  actions: readonly Action[],
  items: readonly Items[],
): { ConsumedCapacity?: object[] } {
  if (level !== 'TOTAL' && level !== 'INDEXES') return {};
  const units = new Map<string, number>();
  for (const [n, { table }] of actions.entries()) {
    const used = items[n]!.map((item) => db.capacityUnits(item, kind === 'Read', true));
    units.set(table.TableName, (units.get(table.TableName) ?? 0) + 2 * Math.max(...used));
  }
  const ConsumedCapacity = [...units].map(([TableName, CapacityUnits]) => {
    const capacity = { CapacityUnits, [`${kind}CapacityUnits`]: CapacityUnits };
    return { TableName, ...capacity, ...(level === 'INDEXES' && { Table: capacity }) };
  });
  return { ConsumedCapacity };
}
