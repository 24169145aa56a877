import type { BatchStatementError } from '@aws-sdk/client-dynamodb';
import type { Item, Store } from 'dynalite/db/index.js';
import { isJsonObject } from '../../../common/is-json-object.ts';
import { type Rules, validate } from '../dynalite-operations.ts';
import { validationError } from '../dynamodb-error.ts';
import { databaseKey } from '../optimize-store.ts';
import { codeOf } from '../response-error.ts';
import { type ItemWrite, readItem, writeItems } from '../write-items.ts';
import { select } from './bound-select.ts';
import {
  type Prepared,
  prepare,
  type StatementRequest,
  validStatements,
} from './prepare-statement.ts';

export interface StatementResponse {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Error?: BatchStatementError;
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

function failure(error: Error): StatementResponse {
  const Code = codeOf(error);
  if (Code === undefined) throw error;
  return { Error: { Code, Message: error.message } };
}
