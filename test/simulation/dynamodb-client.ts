import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  type BatchStatementRequest,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { decompress } from '../../src/aws/dynamodb/compress.ts';
import { parseStatement } from '../../src/aws-local/dynamodb/partiql/parse-statement.ts';
import type { Item } from '../support/aws-in-memory/dynamodb-expressions.ts';
import { dynamoDbOf, type Sending } from '../support/aws-in-memory/dynamodb-of.ts';
import { sendSome } from '../support/aws-in-memory/send-some.ts';
import type { Environment } from './environment.ts';
import { isBroken } from './is-broken.ts';
import type { Account } from './lambdas.ts';
import { nameOf } from './log.ts';
import type { Fails } from './model.ts';
import { nuisanceKey } from './neighbors.ts';

/** The partition of the instance that DynamoDB throttles. */
const starved = `tally#${nuisanceKey}`;

/** Creates a process's DynamoDB client, whose commands can fail. */
export function dynamoDbClientOf(account: Account, environment: Environment): DynamoDb {
  const { replicated: database, sabotage } = account;
  const client: Sending = {
    send: (command) => {
      if (!account.growing && readsPartitions(command)) return database.send(command);
      return environment.call(() => described(command), {
        service: 'dynamodb',
        effect: (isAwaited) => {
          if (!isAwaited) for (const id of lettersIn(command)) account.log.strays.add(id);
          if (account.limits && refuses(account, command, 'refused'))
            return Promise.reject(new ServiceError('ValidationException', 'refused for good', 400));
          if (account.nuisance === 'starved' && refuses(account, command, 'starved'))
            return sendSome(database, command, ({ pk }) =>
              pk === starved ? throttled() : undefined,
            );
          if (!account.timed) return database.send(command);
          const { chance, clock, outages, weather } = account;
          return sendSome(database, command, ({ pk }) => {
            const isHot = outages.refuses('dynamodb', pk, clock.now());
            const isRefused =
              isHot || (command instanceof BatchGetItemCommand && chance.happens(weather.refused));
            return isRefused ? throttled() : undefined;
          });
        },
        hollow: isBatch(command) ? {} : undefined,
      });
    },
  };
  return dynamoDbOf(sabotage.client?.(client) ?? client);
}

/**
 * True if a command reads the number of index partitions. Only runs in which the number grows simulate failures of
 * these reads so that the other runs do not depend on them.
 */
const readsPartitions = (command: object) =>
  command instanceof QueryCommand &&
  command.input.ExpressionAttributeValues?.[':pk']?.S === '#partitions';

/** The error that DynamoDB returns for a hot partition. */
const throttled = () =>
  new ServiceError('ProvisionedThroughputExceededException', 'throttled', 400);

/** Returns the ids of the dead letters that a command writes, and of the dead letters of parked events that it writes. */
function lettersIn(command: object): string[] {
  return itemsIn(command).flatMap(({ pk, sk, letterId }) =>
    pk?.S?.startsWith('DEAD#') ? sk!.S! : (letterId?.S ?? []),
  );
}

/** Returns the items that a command puts. */
export function itemsIn(command: object): Item[] {
  const { input } = command as { input: { Item?: Item; Statements?: BatchStatementRequest[] } };
  const inserted = input.Statements?.map(({ Statement, Parameters }) =>
    Statement!.startsWith('INSERT') ? itemOf(Statement!, Parameters!) : {},
  );
  return inserted ?? [input.Item ?? {}];
}

/** True if a successful response to the command can lack its results. */
const isBatch = (command: object) =>
  command instanceof BatchGetItemCommand || command instanceof BatchExecuteStatementCommand;

/**
 * Returns true if a command writes a commit with an event that makes DynamoDB reject writes in the given way. Counts a
 * failure for each such event.
 */
function refuses(account: Account, command: object, why: Fails['how']): boolean {
  const commits = itemsIn(command).filter(({ sk }) => sk?.S?.startsWith('COMMIT#'));
  const refused = commits.flatMap(entriesOf).filter((entry) => {
    const { how, until } = entry.data?.fails ?? {};
    const failures = account.log.failures.get(nameOf(entry)) ?? 0;
    return how === why && isBroken(account, failures, until!);
  });
  for (const entry of refused) {
    const name = nameOf(entry);
    account.log.failures.set(name, (account.log.failures.get(name) ?? 0) + 1);
    account.count(
      `commits that DynamoDB ${why === 'refused' ? 'permanently rejects' : 'throttles'}`,
    );
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
  const json = packed?.B ? decompress(packed.B).split('\n')[0]! : entries!.S!;
  return JSON.parse(json) as StoredEntry[];
}

/** Describes a command on one line. */
function described(command: object): string {
  const { input } = command as { input: Record<string, Item | undefined> };
  const { pk, sk } = input.Key ?? input.Item ?? input.ExpressionAttributeValues ?? {};
  const where = [pk, sk].map((value) => value?.S ?? '').join(' ');
  const more = [input.Item?.entries, input.Item?.event, input.Item?.eventId, input.Item?.reason];
  const what = more.map((value) => value?.S?.slice(0, 200) ?? '').join(' ');
  return `${command.constructor.name} ${where || JSON.stringify(input).slice(0, 200)} ${what}`;
}
