import {
  BatchGetItemCommand,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../../src/common/clock.ts';
import type { Item } from './dynamodb-expressions.ts';
import type { Sending } from './dynamodb-of.ts';
import { MemoryDynamoDb, type TableDefinition } from './memory-dynamodb.ts';

interface Change {
  readonly at: number;
  readonly table: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface LaggingReplicaOptions {
  readonly database: MemoryDynamoDb;
  readonly tables: Readonly<Record<string, TableDefinition>>;
  readonly clock: Clock;
  /** Decides whether the next eventually consistent read returns old data. */
  readonly isOld: () => boolean;
  /** The age of the data that the replica returns, in milliseconds. */
  readonly lagMs: number;
}

/**
 * A database with a replica that lags behind it. The replica answers eventually consistent reads. All other commands
 * go to the database itself.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html
 */
export class LaggingReplica implements Sending {
  readonly #options: LaggingReplicaOptions;
  readonly #replica: MemoryDynamoDb;
  #pending: Change[] = [];

  constructor(options: LaggingReplicaOptions) {
    const { clock, database, tables } = options;
    this.#options = options;
    this.#replica = new MemoryDynamoDb(tables);
    for (const table of Object.keys(tables))
      database.listen(table, (before, after) =>
        this.#pending.push({ at: clock.now(), table, before, after }),
      );
  }

  send(command: object): Promise<unknown> {
    const { database, isOld } = this.#options;
    if (!isEventuallyConsistent(command) || !isOld()) return database.send(command);
    this.#catchUp();
    return this.#replica.send(command);
  }

  /** Applies the changes that are older than the lag. */
  #catchUp(): void {
    const { clock, lagMs } = this.#options;
    const until = clock.now() - lagMs;
    const next = this.#pending.findIndex(({ at }) => at > until);
    const arrived = this.#pending.splice(0, next === -1 ? this.#pending.length : next);
    for (const { table, before, after } of arrived)
      if (after) this.#replica.put(table, after);
      else this.#replica.delete(table, before!);
  }
}

/** True if DynamoDB may answer a command with old data. Indexes support no consistent reads. */
function isEventuallyConsistent(command: object): boolean {
  if (command instanceof BatchGetItemCommand)
    return Object.values(command.input.RequestItems ?? {}).some((each) => !each.ConsistentRead);
  const isRead =
    command instanceof GetItemCommand ||
    command instanceof QueryCommand ||
    command instanceof ScanCommand;
  return isRead && command.input.ConsistentRead !== true;
}
