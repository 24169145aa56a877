import db, { type Item, type Table } from 'dynalite/db/index.js';

/** The items that each action of a transaction read or wrote. A written item has two versions. */
export interface Consumption {
  readonly kind: 'Read' | 'Write';
  readonly actions: readonly { readonly table: Table }[];
  readonly items: readonly (readonly (Item | null | undefined)[])[];
}

/** Returns the consumption of actions that read one item each. */
export const readConsumption = (
  actions: Consumption['actions'],
  items: readonly (Item | undefined)[],
): Consumption => ({ kind: 'Read', actions, items: items.map((item) => [item]) });

/**
 * Returns the capacity that a transaction consumed in each table, if the request asks for it. An action consumes twice
 * the capacity of an operation that is not part of a transaction. As in dynalite, the capacity of indexes is not
 * included.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
 */
export function consumedCapacity(
  level: string | undefined,
  { kind, actions, items }: Consumption,
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
