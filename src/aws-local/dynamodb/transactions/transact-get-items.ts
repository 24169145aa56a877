import db, { type Item, type Projection, type Store } from 'dynalite/db/index.js';
import { operations, type Rules, validate } from '../dynalite-operations.ts';
import type { JsonOperation } from '../json-operations.ts';
import { nameTables } from '../table-arn.ts';
import { readTable } from '../write-items.ts';
import { prepareActions } from './cancellation.ts';
import { consumedCapacity, readConsumption } from './consumed-capacity.ts';
import { readAll } from './read-all.ts';
import { actionList, actionType, commonTypes } from './transaction-rules.ts';

interface Get extends Readonly<Record<string, unknown>> {
  readonly TableName: string;
  readonly Key: Item;
  /** The parsed projection, which the validation adds. */
  readonly _projection?: Projection;
}

interface TransactGetItemsRequest {
  readonly TransactItems: readonly { readonly Get: Get }[];
  readonly ReturnConsumedCapacity?: string;
}

/**
 * Returns the implementation of `TransactGetItems`, which reads all items as they were at one point in time.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html
 */
export function transactGetItems(store: Store): JsonOperation {
  const rules = requestRules();
  return async (request) => {
    const given = request as TransactGetItemsRequest;
    const named = { ...given, TransactItems: nameTables(given.TransactItems) };
    const { TransactItems } = validate(store, rules, named);
    const reads = await prepareActions(TransactItems, ({ Get }) => prepareRead(store, Get));
    const items = await readAll(store, reads);
    return {
      Responses: items.map((item, n) => {
        const { paths } = reads[n]!;
        return item ? { Item: paths ? db.mapPaths(paths, item) : item } : {};
      }),
      ...consumedCapacity(given.ReturnConsumedCapacity, readConsumption(reads, items)),
    };
  };
}

function requestRules(): Rules {
  const { rules } = operations.GetItem;
  const { ReturnConsumedCapacity } = commonTypes();
  const Get = { ...actionType('Get', rules), notNull: true };
  return {
    types: { ReturnConsumedCapacity, TransactItems: actionList({ Get }) },
    custom({ TransactItems }, store) {
      for (const { Get: get } of TransactItems as { Get: Get }[]) {
        const message = rules.custom(get, store);
        if (message) return message;
      }
      return undefined;
    },
  };
}

async function prepareRead(store: Store, { TableName, Key, _projection }: Get) {
  const table = await readTable(store, TableName);
  const { paths, nestedPaths = {} } = _projection ?? {};
  const error = db.validateKey(Key, table) ?? db.validateKeyPaths(nestedPaths, table);
  if (error) throw error;
  return { table, key: db.createKey(Key, table), paths };
}
