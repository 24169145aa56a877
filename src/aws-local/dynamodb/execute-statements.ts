import type { AttributeValue, BatchStatementError } from '@aws-sdk/client-dynamodb';
import db, { type Item, type Store, type Table } from 'dynalite/db/index.js';
import { isJsonObject } from '../../common/is-json-object.ts';
import { operations, type Rules, validate } from './dynalite-operations.ts';
import { DynamoDbError, validationError } from './json-operations.ts';
import { matchesCondition, valueAt } from './match-condition.ts';
import { databaseKey } from './optimize-store.ts';
import {
  type Condition,
  type Insert,
  parseStatement,
  type Select,
  type Statement,
  type Update,
} from './partiql.ts';
import { isPlain } from './plain-values.ts';
import { itemProblem } from './request-values.ts';
import { codeOf } from './response-error.ts';
import { type ItemWrite, readItem, readTable, writeItems } from './write-items.ts';

/** A statement with the values of its parameters, as in a request. */
export interface StatementRequest {
  readonly Statement: string;
  readonly Parameters?: readonly AttributeValue[];
}

export interface StatementResponse {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Error?: BatchStatementError;
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

/** The attributes to read, and the conditions that the item must match. */
export interface BoundSelect {
  readonly paths: Select['paths'];
  readonly where: readonly BoundCondition[];
}

interface BoundCondition {
  readonly name: string;
  readonly operator: Condition['operator'];
  readonly values: readonly AttributeValue[];
}

interface BatchRequest {
  readonly Statements?: readonly StatementRequest[];
}

const maximumStatements = 25;

/** The types of a statement's members, in dynalite's format. */
export const statementTypes = {
  Statement: { type: 'String', notNull: true, lengthGreaterThanOrEqual: 1 },
  Parameters: { type: 'List', children: 'AttrStruct<ValueStruct>' },
};

const statementRules: Rules = { types: statementTypes, custom: () => undefined };

const batchRules: Rules = {
  types: {
    Statements: {
      type: 'List',
      children: { type: 'ValueStruct<BatchStatementRequest>', children: statementTypes },
    },
  },
  custom: () => undefined,
};

/**
 * Returns true if the members of a statement are known to have the right types. For any other statement, dynalite's
 * validation, which is many times slower, explains what is wrong.
 */
function hasStatementTypes(request: unknown): boolean {
  if (!isJsonObject(request)) return false;
  const { Statement, Parameters = [] } = request;
  const isText = typeof Statement === 'string' && Statement.length > 0;
  return isText && Array.isArray(Parameters) && Parameters.every(isJsonObject);
}

/** The condition operator or function that corresponds to each PartiQL operator. */
const comparisons: Record<Condition['operator'], string> = {
  ...{ '=': '=', '<>': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' },
  MISSING: 'attribute_not_exists',
  'NOT MISSING': 'attribute_exists',
};

/**
 * Implements `BatchExecuteStatement`: each statement succeeds or fails independently. Throws a `ResponseError` if the
 * whole batch is invalid, for example if it contains an item twice.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html
 */
export async function batchExecuteStatement(
  store: Store,
  request: BatchRequest,
): Promise<{ Responses: StatementResponse[] }> {
  const given: unknown = request.Statements;
  const hasTypes = Array.isArray(given) && given.every(hasStatementTypes);
  const { Statements = [] } = hasTypes ? request : validate(store, batchRules, request);
  if (Statements.length === 0 || Statements.length > maximumStatements)
    throw validationError(
      `A batch must have 1 to ${maximumStatements} statements; got ${Statements.length}`,
    );
  const outcomes = await executeStatements(store, Statements);
  return {
    Responses: outcomes.map((outcome) => (outcome instanceof Error ? failure(outcome) : outcome)),
  };
}

/**
 * Implements `ExecuteStatement`. Throws a `ResponseError` if the statement fails.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteStatement.html
 */
export async function executeStatement(
  store: Store,
  request: StatementRequest,
): Promise<{ Items: Item[] }> {
  const valid = hasStatementTypes(request) ? request : validate(store, statementRules, request);
  const [outcome] = await executeStatements(store, [valid]);
  if (outcome instanceof Error) throw outcome;
  return { Items: outcome?.Item ? [outcome.Item] : [] };
}

async function executeStatements(
  store: Store,
  requests: readonly StatementRequest[],
): Promise<(StatementResponse | Error)[]> {
  const prepared: (Prepared | Error)[] = await Promise.all(
    validStatements(store, requests).map((statement) =>
      prepare(store, statement).catch((error: Error) => error),
    ),
  );
  const executable = prepared.filter((one): one is Prepared => !(one instanceof Error));
  const items = new Set(executable.map(({ table, key }) => databaseKey(table, key)));
  if (items.size < executable.length)
    throw validationError('Provided list of item keys contains duplicates');
  const errors = await writeAll(store, executable);
  return prepared.map((one) => {
    const error = one instanceof Error ? one : errors.get(one);
    if (error) return error as Error;
    const { table, key, action } = one as Prepared;
    const Item =
      typeof action === 'function' ? undefined : select(readItem(store, table, key), action);
    return { TableName: table.TableName, ...(Item && { Item }) };
  });
}

/** Executes the writes to each table in one batch. Returns the errors of failed writes. */
async function writeAll(
  store: Store,
  prepared: readonly Prepared[],
): Promise<ReadonlyMap<Prepared, unknown>> {
  const writes = prepared.filter(({ action }) => typeof action === 'function');
  const tables = new Set(writes.map(({ table }) => table));
  const errors = await Promise.all(
    [...tables].map(async (table) => {
      const group = writes.filter((one) => one.table === table);
      const items = group.map(({ key, action }) => ({
        key,
        change: action as ItemWrite['change'],
      }));
      const failures = await writeItems(store, table, items);
      return group.map((one, n) => [one, failures[n]] as const);
    }),
  );
  return new Map(errors.flat());
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

/**
 * Returns the selected values of an item, each under the last name of its path: `b` for `SELECT a.b`. Returns undefined
 * if the item does not match the conditions.
 */
export function select(item: Item | undefined, { where, paths }: BoundSelect): Item | undefined {
  if (!item || !matches(item, where)) return undefined;
  if (paths === 'all') return item;
  const values = paths.map((path) => [path.at(-1)!, valueAt(item, path)] as const);
  return Object.fromEntries(
    values.filter((one): one is [string, AttributeValue] => one[1] !== undefined),
  );
}

const matches = (item: Item, where: readonly BoundCondition[]) =>
  where.every(({ name, operator, values }) =>
    matchesCondition(item, { type: comparisons[operator], args: [[name], ...values] }),
  );

function failure(error: Error): StatementResponse {
  const Code = codeOf(error);
  if (Code === undefined) throw error;
  return { Error: { Code, Message: error.message } };
}
