import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  type BatchStatementRequest,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import { ServiceError } from '../../src/aws/client/service-error.ts';
import { unpack } from '../../src/aws/packed.ts';
import { parseStatement } from '../../src/local/endpoints/partiql.ts';
import type { Item } from '../support/dynamodb-expressions.ts';
import { dynamoDbOf, type Sending } from '../support/dynamodb-of.ts';
import type { Environment } from './environment.ts';
import { isBroken } from './is-broken.ts';
import type { MemoryDynamoDb } from '../support/memory-dynamodb.ts';
import type { Account } from './lambdas.ts';
import { nuisanceKey } from './neighbors.ts';
import { nameOf } from './log.ts';
import type { Fails } from './model.ts';

/** A process's way to DynamoDB. */
export function dynamoDbClientOf(account: Account, environment: Environment): DynamoDb {
  const { database, sabotage } = account;
  const client: Sending = {
    send: (command) =>
      environment.call(() => described(command), {
        service: 'dynamodb',
        effect: () => {
          if (account.limits && refuses(account, command, 'refused'))
            return Promise.reject(new ServiceError('ValidationException', 'refused for good', 400));
          if (account.nuisance === 'starved' && refuses(account, command, 'starved'))
            return starve(database, command);
          return account.timed && command instanceof BatchGetItemCommand
            ? getSome(account, command)
            : database.send(command);
        },
        hollow: isBatch(command) ? {} : undefined,
      }),
  };
  return dynamoDbOf(sabotage.client?.(client) ?? client);
}

/** Whether an answer to a command may be there and yet say nothing. */
const isBatch = (command: object) =>
  command instanceof BatchGetItemCommand || command instanceof BatchExecuteStatementCommand;

/** Gets items, and leaves out some when the weather is bad: they have to be asked for again. */
async function getSome(
  { chance, database, weather }: Account,
  { input }: BatchGetItemCommand,
): Promise<unknown> {
  const [[table, wanted] = []] = Object.entries(input.RequestItems!);
  const keys = wanted!.Keys!;
  if (!chance.happens(weather.refused)) return database.send(new BatchGetItemCommand(input));
  const Keys = keys.slice(0, chance.whole(0, keys.length - 1));
  const left = keys.slice(Keys.length);
  const UnprocessedKeys = { [table!]: { ...wanted, Keys: left } };
  if (Keys.length === 0) return { Responses: {}, UnprocessedKeys };
  const RequestItems = { [table!]: { ...wanted, Keys } };
  const answer = (await database.send(new BatchGetItemCommand({ RequestItems }))) as object;
  return { ...answer, UnprocessedKeys };
}

/** Refuses a write, or the statements that write commits, without telling why. */
async function starve(database: MemoryDynamoDb, command: object): Promise<unknown> {
  if (!(command instanceof BatchExecuteStatementCommand)) throw unexplained();
  const { Statements = [] } = command.input;
  const Responses: unknown[] = [];
  for (const each of Statements) {
    const only = new BatchExecuteStatementCommand({ Statements: [each] });
    const isMeant = each.Parameters?.some(({ S }) => S === `tally#${nuisanceKey}`);
    const { name, message } = unexplained();
    const refused = { Responses: [{ Error: { Code: name, Message: message } }] };
    const answer = isMeant ? refused : await database.send(only);
    Responses.push(...(answer as { Responses: unknown[] }).Responses);
  }
  return { Responses };
}

const unexplained = () => new ServiceError('InternalServerError', 'an internal error', 500);

/** Whether a command writes a commit with an event that DynamoDB refuses: then it refuses all of it. */
function refuses(account: Account, command: object, why: Fails['how']): boolean {
  const { input } = command as { input: { Item?: Item; Statements?: BatchStatementRequest[] } };
  const inserted = input.Statements?.map(({ Statement, Parameters }) =>
    Statement!.startsWith('INSERT') ? itemOf(Statement!, Parameters!) : {},
  );
  const commits = (inserted ?? [input.Item ?? {}]).filter(({ sk }) => sk?.S?.startsWith('COMMIT#'));
  const refused = commits.flatMap(entriesOf).filter((entry) => {
    const { how, until } = entry.data?.fails ?? {};
    const failures = account.log.failures.get(nameOf(entry)) ?? 0;
    return how === why && isBroken(account, failures, until!);
  });
  for (const entry of refused) {
    const name = nameOf(entry);
    account.log.failures.set(name, (account.log.failures.get(name) ?? 0) + 1);
    account.count('commits refused for good');
  }
  return refused.length > 0;
}

function itemOf(statement: string, parameters: readonly AttributeValue[]): Item {
  const parsed = parseStatement(statement);
  const names = parsed?.kind === 'insert' ? parsed.names : [];
  return Object.fromEntries(names.map((name, n) => [name, parameters[n]!]));
}

interface StoredEntry {
  readonly source: string;
  readonly id: string;
  readonly data?: { readonly fails?: Fails };
}

function entriesOf({ packed, entries }: Item): StoredEntry[] {
  const json = packed?.B ? unpack(packed.B).split('\n')[0]! : entries!.S!;
  return JSON.parse(json) as StoredEntry[];
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
