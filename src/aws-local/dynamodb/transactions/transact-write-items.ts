import db, { type Item, type Store } from 'dynalite/db/index.js';
import type { Clock } from '../../../common/clock.ts';
import { operations, type Rules, validate } from '../dynalite-operations.ts';
import { itemCollectionMetrics } from '../item-collection-metrics.ts';
import type { JsonOperation } from '../json-operations.ts';
import { nameTables } from '../table-arn.ts';
import { readTable } from '../write-items.ts';
import { prepareActions } from './cancellation.ts';
import { consumedCapacity } from './consumed-capacity.ts';
import { evaluateWrite } from './evaluate-write.ts';
import { idempotentRequest } from './idempotent-request.ts';
import { actionList, actionType, commonTypes, payloadProblem } from './transaction-rules.ts';
import { type TransactionWrite, writeAll } from './write-all.ts';

/** The kinds of actions, with the operations that execute them. A condition check is a delete without its effect. */
const kinds = {
  ConditionCheck: operations.DeleteItem,
  Delete: operations.DeleteItem,
  Put: operations.PutItem,
  Update: operations.UpdateItem,
};

type Kind = keyof typeof kinds;

/** An action, which has exactly one member after validation. */
type Action = { readonly [kind in Kind]?: ActionRequest };

interface ActionRequest extends Readonly<Record<string, unknown>> {
  readonly TableName: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ExpressionAttributeValues?: Item;
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
  /** The parsed update expression, which the validation adds. */
  readonly _updates?: object;
}

interface TransactWriteItemsRequest {
  readonly TransactItems: readonly Action[];
  readonly ClientRequestToken?: string;
  readonly ReturnConsumedCapacity?: string;
  readonly ReturnItemCollectionMetrics?: string;
}

/**
 * Returns the implementation of `TransactWriteItems`, which writes all items, or none if an action fails.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function transactWriteItems(store: Store, clock: Pick<Clock, 'now'>): JsonOperation {
  const rules = requestRules();
  return async (request) => {
    const given = request as TransactWriteItemsRequest;
    const { ClientRequestToken: token, ReturnConsumedCapacity: level } = given;
    const named = { ...given, TransactItems: nameTables(given.TransactItems) };
    const { TransactItems: actions } = validate(store, rules, named);
    const idempotent = idempotentRequest(store, clock, token, given.TransactItems);
    const writes = await prepareActions(actions, (action) => prepareWrite(store, action));
    const consumption = await writeAll(store, writes, idempotent);
    return {
      ...consumedCapacity(level, consumption),
      ...(given.ReturnItemCollectionMetrics === 'SIZE' && collectionMetrics(actions, writes)),
    };
  };
}

function requestRules(): Rules {
  const actions = {
    ConditionCheck: actionType('ConditionCheck', kinds.ConditionCheck.rules, 'ConditionExpression'),
    Delete: actionType('Delete', kinds.Delete.rules),
    Put: actionType('Put', kinds.Put.rules),
    Update: actionType('Update', kinds.Update.rules, 'UpdateExpression'),
  };
  const { ReturnItemCollectionMetrics } = operations.PutItem.rules.types;
  return {
    types: {
      ...commonTypes(),
      ReturnItemCollectionMetrics: ReturnItemCollectionMetrics!,
      TransactItems: actionList(actions),
    },
    custom: ({ TransactItems }, store) => actionsProblem(TransactItems as Action[], store),
  };
}

/** Returns a message if an action is invalid. Adds the parsed expressions to the actions. */
function actionsProblem(actions: readonly Action[], store: Store): string | undefined {
  for (const action of actions) {
    const [entry, ...others] = Object.entries(action) as [Kind, ActionRequest][];
    if (entry === undefined)
      return 'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request';
    if (others.length > 0)
      return 'TransactItems can only contain one of Check, Put, Update or Delete';
    const [kind, request] = entry;
    const message = kinds[kind].rules.custom(request, store);
    if (message) return message;
  }
  const requests = actions.flatMap((action) => Object.values(action));
  return payloadProblem(
    requests.flatMap(({ Key, Item, ExpressionAttributeValues: values }) => [Key, Item, values]),
  );
}

async function prepareWrite(store: Store, action: Action): Promise<TransactionWrite> {
  const [[kind, request]] = Object.entries(action) as [[Kind, ActionRequest]];
  const { TableName, Key = {}, Item, _updates = null } = request;
  const table = await readTable(store, TableName);
  const error = Item
    ? db.validateItem(Item, table)
    : (db.validateKey(Key, table) ?? db.validateUpdates(null, _updates, table));
  if (error) throw error;
  return {
    table,
    key: db.createKey(Item ?? Key, table),
    change(before) {
      const after = evaluateWrite(kinds[kind], store, table, request, before);
      return kind === 'ConditionCheck' ? before : after;
    },
    returnsItem: request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  };
}

/** Returns the metrics of the item collections that the actions write, by table. */
function collectionMetrics(actions: readonly Action[], writes: readonly TransactionWrite[]) {
  const metrics: Record<string, object[]> = {};
  for (const [n, { Put, Update, Delete }] of actions.entries()) {
    const { table } = writes[n]!;
    const item = Put?.Item ?? (Update ?? Delete)?.Key;
    const collection = item && itemCollectionMetrics(table, item);
    if (collection) (metrics[table.TableName] ??= []).push(collection);
  }
  return Object.keys(metrics).length > 0 ? { ItemCollectionMetrics: metrics } : {};
}
