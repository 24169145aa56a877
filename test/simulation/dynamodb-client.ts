import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import type { Item } from '../support/dynamodb-expressions.ts';
import { dynamoDbOf, type Sending } from '../support/dynamodb-of.ts';
import type { Environment } from './environment.ts';
import type { Account } from './lambdas.ts';

/** A process's way to DynamoDB. */
export function dynamoDbClientOf(
  { database, sabotage }: Account,
  environment: Environment,
): DynamoDb {
  const client: Sending = {
    send: (command) =>
      environment.call(
        () => described(command),
        () => database.send(command),
      ),
  };
  return dynamoDbOf(sabotage.client?.(client) ?? client);
}

/** A command in one line. */
function described(command: object): string {
  const { input } = command as { input: Record<string, Item | undefined> };
  const { pk, sk } = input.Key ?? input.Item ?? input.ExpressionAttributeValues ?? {};
  const where = [pk, sk].map((value) => value?.S ?? '').join(' ');
  const more = [input.Item?.entries, input.Item?.event, input.Item?.eventId, input.Item?.reason];
  const what = more.map((value) => value?.S?.slice(0, 200) ?? '').join(' ');
  return `${command.constructor.name} ${where || JSON.stringify(input).slice(0, 200)} ${what}`;
}
