import type { AttributeValue, BatchStatementError } from '@aws-sdk/client-dynamodb';
import type { WriteRequest } from './dynalite-store.ts';
import {
  type Condition,
  type Delete,
  type Insert,
  parseStatement,
  type Update,
} from './partiql.ts';

/** The database operations that a batch needs: key names and single writes. */
export interface Table {
  readonly keyNames: (table: string) => Promise<readonly string[]>;
  readonly write: (request: WriteRequest) => Promise<void>;
}

export interface Statement {
  readonly Statement: string;
  readonly Parameters?: readonly AttributeValue[];
}

export interface StatementResponse {
  readonly TableName?: string;
  readonly Error?: BatchStatementError;
}

/** A failed write with the name of a DynamoDB error, such as `ValidationException`. */
export interface NamedError {
  readonly name: string;
  readonly message: string;
}

const maximumStatements = 25;

const operators: Record<Condition['operator'], string> = {
  '=': 'EQ',
  '<>': 'NE',
  '<': 'LT',
  '<=': 'LE',
  '>': 'GT',
  '>=': 'GE',
  MISSING: 'NULL',
  'NOT MISSING': 'NOT_NULL',
};

const codes: Record<string, BatchStatementError['Code']> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  ValidationException: 'ValidationError',
  ResourceNotFoundException: 'ResourceNotFound',
};

/** A statement converted to a write request, with the key of its item. */
interface PreparedStatement {
  readonly insert: boolean;
  readonly request: WriteRequest;
  readonly item: string;
}

/**
 * Implements DynamoDB's `BatchExecuteStatement`: each statement succeeds or fails independently. Throws a
 * `ValidationException` if the whole batch is invalid, for example if it writes an item twice.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html
 */
export async function executeBatch(
  table: Table,
  statements: readonly Statement[],
): Promise<StatementResponse[]> {
  if (statements.length === 0 || statements.length > maximumStatements) {
    throw invalid(`A batch must have 1 to ${maximumStatements} statements`);
  }
  const keyNames = once(table.keyNames);
  const prepared = await Promise.all(statements.map((statement) => prepare(keyNames, statement)));
  const items = prepared.flatMap((one) => ('item' in one ? [one.item] : []));
  if (new Set(items).size < items.length) {
    throw invalid('Provided list of item keys contains duplicates');
  }
  return await Promise.all(
    prepared.map(async (one) => ('item' in one ? await execute(table, one) : one)),
  );
}

async function prepare(
  keyNamesOf: Table['keyNames'],
  { Statement, Parameters = [] }: Statement,
): Promise<PreparedStatement | StatementResponse> {
  const statement = parseStatement(Statement);
  if (statement === null)
    return failed('ValidationError', `Not supported by the local endpoint: ${Statement}`);
  try {
    const keyNames = await keyNamesOf(statement.table);
    const insert = statement.kind === 'insert';
    const request = insert
      ? insertRequest(statement, Parameters, keyNames)
      : requestByKey(statement, Parameters, keyNames);
    const key = keyNames.map((name) => (request.Item ?? request.Key)?.[name]);
    return { insert, request, item: JSON.stringify([statement.table, key]) };
  } catch (error) {
    return responseTo(error);
  }
}

async function execute(
  table: Table,
  { insert, request }: PreparedStatement,
): Promise<StatementResponse> {
  try {
    await table.write(request);
    return { TableName: request.TableName };
  } catch (error) {
    if (insert && (error as NamedError).name === 'ConditionalCheckFailedException') {
      return failed('DuplicateItem', 'Duplicate primary key exists in table');
    }
    return responseTo(error);
  }
}

function responseTo(error: unknown): StatementResponse {
  const { name, message } = error as NamedError;
  const code = codes[name];
  if (code === undefined) throw error;
  return failed(code, message);
}

function insertRequest(
  { table, names }: Insert,
  parameters: readonly AttributeValue[],
  keyNames: readonly string[],
): WriteRequest {
  if (names.length !== parameters.length) throw countMismatch();
  const Item = Object.fromEntries(names.map((name, n) => [name, parameters[n]!]));
  const Expected = { [keyNames[0]!]: { ComparisonOperator: 'NULL' } };
  return { action: 'putItem', TableName: table, Item, Expected };
}

/** Caches the lookups, because the statements of a batch usually write to the same table. */
function once(keyNames: Table['keyNames']): Table['keyNames'] {
  const lookups = new Map<string, ReturnType<typeof keyNames>>();
  return (name) => {
    const names = lookups.get(name) ?? keyNames(name);
    lookups.set(name, names);
    return names;
  };
}

/**
 * Converts a statement to an `UpdateItem` or `DeleteItem` request with legacy conditions, which need no parsing, unlike
 * expressions.
 */
function requestByKey(
  statement: Update | Delete,
  parameters: readonly AttributeValue[],
  keyNames: readonly string[],
): WriteRequest {
  const { table: TableName, where } = statement;
  const set = statement.kind === 'update' ? statement.set : [];
  let next = set.length;
  const Expected: Record<string, object> = {};
  const Key: Record<string, AttributeValue> = {};
  for (const { name, operator } of where) {
    if (name in Expected)
      throw invalid(`The local endpoint does not support two conditions on ${name}`);
    const values = operator.endsWith('MISSING') ? [] : [parameters[next++]];
    if (operator === '=' && keyNames.includes(name) && values[0]) Key[name] = values[0];
    Expected[name] = {
      ComparisonOperator: operators[operator],
      ...(values.length > 0 && { AttributeValueList: values }),
    };
  }
  if (next !== parameters.length) throw countMismatch();
  if (Object.keys(Key).length !== keyNames.length) {
    throw invalid('Where clause does not contain a mandatory equality on all key attributes');
  }
  if (statement.kind === 'delete') {
    if (where.length > keyNames.length) {
      throw invalid('The local endpoint supports DELETE conditions only on the key');
    }
    // The request has no condition, because deleting a missing item succeeds.
    return { action: 'deleteItem', TableName, Key };
  }
  const AttributeUpdates = Object.fromEntries([
    ...set.map((name, n) => [name, { Action: 'PUT', Value: parameters[n] }] as const),
    ...statement.remove.map((name) => [name, { Action: 'DELETE' }] as const),
  ]);
  return { action: 'updateItem', TableName, Key, AttributeUpdates, Expected };
}

const failed = (Code: BatchStatementError['Code'], Message: string) => ({
  Error: { Code, Message },
});

const invalid = (message: string): NamedError & Error =>
  Object.assign(new Error(message), { name: 'ValidationException' });

const countMismatch = () => invalid('Number of parameters does not match the statement');
