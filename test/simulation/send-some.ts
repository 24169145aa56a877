import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  type BatchStatementRequest,
} from '@aws-sdk/client-dynamodb';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { parseStatement } from '../../src/aws-local/dynamodb/partiql.ts';
import type { Item } from '../support/dynamodb-expressions.ts';
import type { Account } from './lambdas.ts';

/**
 * Sends a command while DynamoDB throttles some keys. The rest of a batch is executed.
 *
 * @throws ServiceError for a single throttled key.
 */
export async function sendSome(
  { database }: Pick<Account, 'database'>,
  command: object,
  isThrottled: (key: Item) => boolean,
): Promise<unknown> {
  if (command instanceof BatchGetItemCommand) {
    const [[table, wanted] = []] = Object.entries(command.input.RequestItems!);
    const [left = [], Keys = []] = partition(wanted!.Keys!, isThrottled);
    const UnprocessedKeys = left.length > 0 ? { [table!]: { ...wanted, Keys: left } } : {};
    if (Keys.length === 0) return { Responses: {}, UnprocessedKeys };
    const RequestItems = { [table!]: { ...wanted, Keys } };
    const answer = await database.send(new BatchGetItemCommand({ RequestItems }));
    return left.length > 0 ? { ...(answer as object), UnprocessedKeys } : answer;
  }
  if (command instanceof BatchExecuteStatementCommand) {
    const Responses: unknown[] = [];
    for (const each of command.input.Statements ?? []) {
      const only = new BatchExecuteStatementCommand({ Statements: [each] });
      const answer = isThrottled(keyOf(each)) ? throttledStatement : await database.send(only);
      Responses.push(...(answer as { Responses: unknown[] }).Responses);
    }
    return { Responses };
  }
  const { input } = command as { input: { Key?: Item; Item?: Item } & Values };
  const pk = input.ExpressionAttributeValues?.[':pk'];
  if (isThrottled(input.Key ?? input.Item ?? (pk ? { pk } : {})))
    throw new ServiceError('ProvisionedThroughputExceededException', 'throttled', 400);
  return database.send(command);
}

interface Values {
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
}

const throttledStatement = {
  Responses: [{ Error: { Code: 'ProvisionedThroughputExceeded', Message: 'throttled' } }],
};

/** The key of the item that a statement writes or deletes. */
function keyOf({ Statement, Parameters = [] }: BatchStatementRequest): Item {
  const parsed = parseStatement(Statement!);
  switch (parsed?.kind) {
    case 'insert':
      return Object.fromEntries(parsed.names.map((name, n) => [name, Parameters[n]!]));
    case 'delete':
      return Object.fromEntries(parsed.where.map(({ name }, n) => [name, Parameters[n]!]));
    case 'update': {
      const values = Parameters.slice(parsed.set.length);
      return Object.fromEntries(parsed.where.map(({ name }, n) => [name, values[n]!]));
    }
    case undefined:
      return {};
  }
}

function partition<Value>(values: readonly Value[], isFirst: (value: Value) => boolean): Value[][] {
  const groups = Map.groupBy(values, isFirst);
  return [groups.get(true) ?? [], groups.get(false) ?? []];
}
