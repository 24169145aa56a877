import { BatchExecuteStatementCommand, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Sending } from './dynamodb-of.ts';
import { accessesOf, type ItemAccess, statementAccess } from './item-access.ts';

/**
 * Sends a command, but rejects some of its items, as DynamoDB can. The other items of a batch are processed.
 *
 * @param faultOf returns the error of a rejected item, or undefined. Called for each item just before it is read or
 * written
 * @throws Error the error of a rejected item that is not part of a batch
 */
export async function sendSome(
  client: Sending,
  command: object,
  faultOf: (access: ItemAccess) => Error | undefined,
): Promise<unknown> {
  if (command instanceof BatchGetItemCommand) return getSome(client, command, faultOf);
  if (command instanceof BatchExecuteStatementCommand) {
    const Responses: unknown[] = [];
    for (const each of command.input.Statements ?? []) {
      const fault = faultOf(statementAccess(each));
      const only = new BatchExecuteStatementCommand({ Statements: [each] });
      const answer = fault ? refusedStatement(fault) : await client.send(only);
      Responses.push(...(answer as { Responses: unknown[] }).Responses);
    }
    return { Responses };
  }
  const fault = faultOf(accessesOf(command)[0]!);
  if (fault) throw fault;
  return client.send(command);
}

/**
 * Processes a batch read and returns the keys of rejected items as unprocessed. If all items are rejected, throws the
 * error of the first item, as DynamoDB does for throttled items.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
async function getSome(
  client: Sending,
  command: BatchGetItemCommand,
  faultOf: (access: ItemAccess) => Error | undefined,
): Promise<unknown> {
  const [[table, wanted] = []] = Object.entries(command.input.RequestItems!);
  const accesses = accessesOf(command);
  const faults = accesses.map(faultOf);
  const left = wanted!.Keys!.filter((_, n) => faults[n]);
  const Keys = wanted!.Keys!.filter((_, n) => !faults[n]);
  const UnprocessedKeys = left.length > 0 ? { [table!]: { ...wanted, Keys: left } } : {};
  if (Keys.length === 0) throw faults[0]!;
  const RequestItems = { [table!]: { ...wanted, Keys } };
  const answer = await client.send(new BatchGetItemCommand({ RequestItems }));
  return left.length > 0 ? { ...(answer as object), UnprocessedKeys } : answer;
}

const refusedStatement = ({ message }: Error) => ({
  Responses: [{ Error: { Code: 'ProvisionedThroughputExceeded', Message: message } }],
});
