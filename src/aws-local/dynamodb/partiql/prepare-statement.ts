import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import db, { type Item, type Store, type Table } from 'dynalite/db/index.js';
import { operations, validate } from '../dynalite-operations.ts';
import { DynamoDbError, validationError } from '../dynamodb-error.ts';
import { isPlain } from '../plain-values.ts';
import { itemProblem } from '../request-values.ts';
import { type ItemWrite, readTable } from '../write-items.ts';
import { type BoundCondition, type BoundSelect, matches } from './bound-select.ts';
import { parseStatement } from './parse-statement.ts';
import type { Insert, Statement, Update } from './statement.ts';

/** A statement with the values of its parameters, as in a request. */
export interface StatementRequest {
  readonly Statement: string;
  readonly Parameters?: readonly AttributeValue[];
}

interface ValidStatement {
  readonly text: string;
  readonly parameters: readonly AttributeValue[];
}

/** A valid statement, ready to read or write the item with `key`. */
export interface Prepared {
  readonly table: Table;
  readonly key: string;
  readonly action: ItemWrite['change'] | BoundSelect;
}

/**
 * Normalizes the parameters of statements. Unlike an invalid statement, an invalid value makes the whole request
 * invalid: throws a `ResponseError`.
 */
export const validStatements = (
  store: Store,
  requests: readonly StatementRequest[],
): ValidStatement[] =>
  requests.map(({ Statement, Parameters = [] }) => ({
    text: Statement,
    parameters: validValues(store, Parameters),
  }));

/** Parses a statement. Throws a `ResponseError` if the local endpoint does not support it. */
export function supportedStatement(text: string): Statement {
  const statement = parseStatement(text);
  if (statement === null) throw validationError(`Not supported by the local endpoint: ${text}`);
  return statement;
}

/** Validates a statement and computes the key of its item. Throws a `ResponseError` if the statement is invalid. */
export async function prepare(
  store: Store,
  { text, parameters }: ValidStatement,
): Promise<Prepared> {
  const statement = supportedStatement(text);
  const table = await readTable(store, statement.table);
  const values = bind(statement, parameters);
  if (statement.kind === 'insert') return insertion(table, statement, values);
  const set = statement.kind === 'update' ? statement.set : [];
  let next = set.length;
  const where = statement.where.map(({ name, operator }) => ({
    name,
    operator,
    values: operator.endsWith('MISSING') ? [] : [values[next++]!],
  }));
  const key = db.createKey(keyIn(where, table), table);
  if (statement.kind === 'select') return { table, key, action: { paths: statement.paths, where } };
  const action =
    statement.kind === 'delete'
      ? deletion(table, where)
      : update(store, table, statement, values, where);
  return { table, key, action };
}

/** Normalizes the parameters of a statement. Throws a `ResponseError` if a parameter is invalid. */
function validValues(
  store: Store,
  parameters: readonly AttributeValue[],
): readonly AttributeValue[] {
  const Item = Object.fromEntries(parameters.entries());
  if (isPlain(Item)) return parameters;
  // Parameters follow the same rules as the values of an item. These rules do not depend on the table.
  return Object.values(validate(store, operations.PutItem.rules, { TableName: 'any', Item }).Item);
}

/** Returns the values of a statement's operands: literals, and parameters in the order of their placeholders. */
function bind(
  { operands }: Statement,
  parameters: readonly AttributeValue[],
): readonly AttributeValue[] {
  if (operands.filter((operand) => operand === 'parameter').length !== parameters.length)
    throw validationError('Number of parameters does not match the statement');
  let next = 0;
  return operands.map((operand) => (operand === 'parameter' ? parameters[next++]! : operand));
}

function insertion(table: Table, { names }: Insert, values: readonly AttributeValue[]): Prepared {
  const item = Object.fromEntries(names.map((name, n) => [name, values[n]!]));
  const error = db.validateItem(item, table);
  if (error) throw error;
  const action = (before: Item | undefined) => {
    if (before)
      throw new DynamoDbError('DuplicateItemException', 'Duplicate primary key exists in table');
    return item;
  };
  return { table, key: db.createKey(item, table), action };
}

function deletion({ KeySchema }: Table, where: readonly BoundCondition[]): ItemWrite['change'] {
  if (where.length > KeySchema.length)
    throw validationError('The local endpoint supports DELETE conditions only on the key');
  return () => null;
}

function update(
  { options }: Store,
  table: Table,
  { set, remove }: Update,
  values: readonly AttributeValue[],
  where: readonly BoundCondition[],
): ItemWrite['change'] {
  const paths = [...set, ...remove];
  if (new Set(paths).size < paths.length)
    throw validationError('Two document paths overlap with each other');
  const changed = Object.fromEntries(set.map((name, n) => [name, values[n]!]));
  const updates = Object.fromEntries(set.map((name) => [name, { Value: changed[name] }]));
  const removed = Object.fromEntries(remove.map((name) => [name, {}]));
  const error = db.validateUpdates({ ...updates, ...removed }, null, table);
  if (error) throw error;
  return (before) => {
    if (!before || !matches(before, where))
      throw new DynamoDbError('ConditionalCheckFailedException', 'The conditional request failed');
    const after = { ...before, ...changed };
    for (const name of remove) delete after[name];
    if (db.itemSize(after) > options.maxItemSize)
      throw validationError('Item size to update has exceeded the maximum allowed size');
    const problem = itemProblem(after);
    if (problem !== undefined) throw validationError(problem);
    return after;
  };
}

/**
 * Returns the key that the conditions contain. Throws a `ResponseError` if the conditions do not identify a single
 * item.
 */
function keyIn(where: readonly BoundCondition[], table: Table): Item {
  const keyNames = table.KeySchema.map(({ AttributeName }) => AttributeName);
  const Key = Object.fromEntries(
    where
      .filter(({ name, operator }) => operator === '=' && keyNames.includes(name))
      .map(({ name, values: [value] }) => [name, value!]),
  );
  if (Object.keys(Key).length < keyNames.length)
    throw validationError(
      'Where clause does not contain a mandatory equality on all key attributes',
    );
  const error = db.validateKey(Key, table);
  if (error) throw error;
  return Key;
}
