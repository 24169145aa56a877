import type { AttributeValue, BatchStatementError } from '@aws-sdk/client-dynamodb';
import type { WriteRequest } from './dynalite-store.ts';
import { type Condition, parseStatement, type Update } from './partiql.ts';

/** What the batch needs of the database: keys, and DynamoDB's own single writes. */
export interface Table {
  keyNames(table: string): Promise<readonly string[]>;
  write(request: WriteRequest): Promise<void>;
}

export interface Statement {
  readonly Statement: string;
  readonly Parameters?: readonly AttributeValue[];
}

export interface StatementResponse {
  readonly TableName?: string;
  readonly Error?: BatchStatementError;
}

/** A write that failed for a reason that DynamoDB has a name for, e.g. `ValidationException`. */
export interface NamedFailure {
  readonly name: string;
  readonly message: string;
}

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

/**
 * DynamoDB's `BatchExecuteStatement`: each statement is done, or fails, by itself.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html
 */
export function executeBatch(
  table: Table,
  statements: readonly Statement[],
): Promise<StatementResponse[]> {
  return Promise.all(statements.map((statement) => execute(table, statement)));
}

async function execute(
  table: Table,
  { Statement, Parameters = [] }: Statement,
): Promise<StatementResponse> {
  const statement = parseStatement(Statement);
  if (statement === null) return failed('ValidationError', `Not supported here: ${Statement}`);
  const TableName = statement.table;
  try {
    const keyNames = await table.keyNames(TableName);
    if (statement.kind === 'update') {
      await table.write(updateRequest(statement, Parameters, keyNames));
    } else {
      if (statement.names.length !== Parameters.length) throw countMismatch();
      const Item = Object.fromEntries(statement.names.map((name, n) => [name, Parameters[n]!]));
      const Expected = { [keyNames[0]!]: { ComparisonOperator: 'NULL' } };
      await table.write({ action: 'putItem', TableName, Item, Expected });
    }
    return { TableName };
  } catch (error) {
    const { name, message } = error as NamedFailure;
    if (statement.kind === 'insert' && name === 'ConditionalCheckFailedException') {
      return failed('DuplicateItem', 'Duplicate primary key exists in table');
    }
    const code = codes[name];
    if (code === undefined) throw error;
    return failed(code, message);
  }
}

/** As an `UpdateItem` of the older form, without expressions: nothing is left to be parsed. */
function updateRequest(
  { table, set, remove, where }: Update,
  parameters: readonly AttributeValue[],
  keyNames: readonly string[],
): WriteRequest {
  let next = set.length;
  const Expected: Record<string, object> = {};
  const Key: Record<string, AttributeValue> = {};
  for (const { name, operator } of where) {
    if (name in Expected) throw invalid(`Two conditions on ${name} are not supported here`);
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
  const AttributeUpdates = Object.fromEntries([
    ...set.map((name, n) => [name, { Action: 'PUT', Value: parameters[n] }] as const),
    ...remove.map((name) => [name, { Action: 'DELETE' }] as const),
  ]);
  return { action: 'updateItem', TableName: table, Key, AttributeUpdates, Expected };
}

const failed = (Code: BatchStatementError['Code'], Message: string) => ({
  Error: { Code, Message },
});

const invalid = (message: string): NamedFailure & Error =>
  Object.assign(new Error(message), { name: 'ValidationException' });

const countMismatch = () => invalid('Number of parameters does not match the statement');
