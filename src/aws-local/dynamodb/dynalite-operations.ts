import batchGetItem from 'dynalite/actions/batchGetItem.js';
import batchWriteItem from 'dynalite/actions/batchWriteItem.js';
import deleteItem from 'dynalite/actions/deleteItem.js';
import getItem from 'dynalite/actions/getItem.js';
import putItem from 'dynalite/actions/putItem.js';
import query from 'dynalite/actions/query.js';
import scan from 'dynalite/actions/scan.js';
import updateItem from 'dynalite/actions/updateItem.js';
import type { Store } from 'dynalite/db/index.js';
import batchGetItemRules from 'dynalite/validations/batchGetItem.js';
import batchWriteItemRules from 'dynalite/validations/batchWriteItem.js';
import deleteItemRules from 'dynalite/validations/deleteItem.js';
import getItemRules from 'dynalite/validations/getItem.js';
import validations from 'dynalite/validations/index.js';
import putItemRules from 'dynalite/validations/putItem.js';
import queryRules from 'dynalite/validations/query.js';
import scanRules from 'dynalite/validations/scan.js';
import updateItemRules from 'dynalite/validations/updateItem.js';

/** The operations on items, with the dynalite functions that validate and execute them. */
export const operations = {
  BatchGetItem: { run: batchGetItem, rules: batchGetItemRules },
  BatchWriteItem: { run: batchWriteItem, rules: batchWriteItemRules },
  DeleteItem: { run: deleteItem, rules: deleteItemRules },
  GetItem: { run: getItem, rules: getItemRules },
  PutItem: { run: putItem, rules: putItemRules },
  Query: { run: query, rules: queryRules },
  Scan: { run: scan, rules: scanRules },
  UpdateItem: { run: updateItem, rules: updateItemRules },
};

/** The types of the parameters of an operation, and a function that returns a message if a request is invalid. */
export type Rules = typeof getItemRules;

export type ItemOperation = keyof typeof operations;

export const itemOperations = Object.keys(operations) as ItemOperation[];

/** Validates and executes a request without HTTP. Throws a `ResponseError` if DynamoDB would return an error. */
export async function execute(store: Store, name: ItemOperation, request: object): Promise<object> {
  const { run, rules } = operations[name];
  const data = validate(store, rules, request);
  const response = await new Promise<{ Attributes?: object }>((resolve, reject) => {
    run(store, data, (error, value) => (error ? reject(error) : resolve(value)));
  });
  const { Attributes, ...others } = response;
  // Unlike dynalite, DynamoDB omits `Attributes` if it is empty.
  return Attributes && Object.keys(Attributes).length === 0 ? others : response;
}

/**
 * Returns a request with normalized values, such as `1` instead of `1.0`. Throws a `ResponseError` if the request is
 * invalid.
 */
export function validate<T extends object>(store: Store, rules: Rules, request: T): T {
  const data = validations.checkTypes(request, rules.types);
  validations.checkValidations(data, rules.types, rules.custom, store);
  return data as T;
}
