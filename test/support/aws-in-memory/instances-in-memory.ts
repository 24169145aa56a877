import type { DynamoDb, Item } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { commitFrom, StoredCommit, toItems } from '../../../src/aws/instances/commit-item.ts';
import { DynamoDbHistoryRewriter } from '../../../src/aws/instances/dynamodb-history-rewriter.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbStatusRows } from '../../../src/aws/instances/dynamodb-status-rows.ts';
import {
  commitKey,
  commitPrefix,
  instanceOf,
  itemKey,
  partitionOf,
  statusKey,
} from '../../../src/aws/instances/instance-keys.ts';
import { partitionsToRead, withoutItem } from '../../../src/aws/instances/partition-counts.ts';
import { indexKeysOf } from '../../../src/aws/instances/status-index-keys.ts';
import { statusIndexes } from '../../../src/aws/instances/status-indexes.ts';
import { attributesOf, toStatusRow } from '../../../src/aws/instances/status-item.ts';
import { statusInUseItem } from '../../../src/aws/instances/statuses-in-use.ts';
import { DynamoDbDueTimerIndex } from '../../../src/aws/lists/dynamodb-due-timer-index.ts';
import { DynamoDbEventFinder } from '../../../src/aws/lists/dynamodb-event-finder.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import { DynamoDbInstanceScanner } from '../../../src/aws/lists/dynamodb-instance-scanner.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import type { StatusRow } from '../../../src/core/status/status-row.ts';
import { skipSleep } from '../skip-sleep.ts';
import { dynamoDbOf } from './dynamodb-of.ts';
import type { ItemAccess } from './item-access.ts';
import { MemoryDynamoDb } from './memory-dynamodb.ts';
import { sendSome } from './send-some.ts';

export const instancesTable = 'instances';

/** The numbers of partitions of an installation without a stored number. */
const partitions = partitionsToRead(withoutItem);

export const instanceIndexes = Object.fromEntries(
  Object.values(statusIndexes).map(({ name, partition, sort }) => [name, { partition, sort }]),
);

/** An instances table in an in-memory DynamoDB, and its stores. */
export class InstancesInMemory {
  readonly database = new MemoryDynamoDb({ [instancesTable]: { indexes: instanceIndexes } });
  /** A hook before the stores read or write an item. If it throws, the request fails for that item only. */
  interfere: (access: ItemAccess) => void = () => {};
  /** The DynamoDB client of the stores. Tests can replace an operation. */
  readonly client: DynamoDb = dynamoDbOf({
    send: (command) => sendSome(this.database, command, (access) => this.#faultOf(access)),
  });
  readonly store: DynamoDbInstanceStore;
  readonly parking: DynamoDbParkingStore;
  readonly dueTimers: DynamoDbDueTimerIndex;
  readonly rows = new DynamoDbStatusRows(this.client, instancesTable);
  readonly rewriter = new DynamoDbHistoryRewriter(this.client, instancesTable);
  readonly scanner = new DynamoDbInstanceScanner(this.client, instancesTable);
  readonly events: DynamoDbEventFinder;

  readonly #clock: Clock;

  /** @param clock the current time. The stores retry without waiting. */
  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = { now: () => clock.now(), sleep: skipSleep };
    this.store = this.newStore();
    this.events = new DynamoDbEventFinder(this.client, instancesTable, clock);
    this.parking = new DynamoDbParkingStore(this.client, instancesTable, this.#clock);
    this.dueTimers = new DynamoDbDueTimerIndex(this.client, instancesTable, this.#clock);
  }

  /** Creates a store with empty caches, like that of another process. */
  newStore(client: DynamoDb = this.client): DynamoDbInstanceStore {
    return new DynamoDbInstanceStore(client, instancesTable, this.#clock);
  }

  /** Creates the lists of the stored instances. */
  lists(): DynamoDbInstanceLists {
    return new DynamoDbInstanceLists(this.client, instancesTable, this.#clock);
  }

  /** Returns all commits of an instance, oldest first. */
  commitsOf(instance: InstanceKey): Commit[] {
    const items = this.database.items(instancesTable, partitionOf(instance));
    const byKey = new Map(items.map((item) => [item.sk!.S!, item]));
    return items
      .filter(({ sk }) => sk!.S!.startsWith(commitPrefix))
      .map((item) => commitFrom(new StoredCommit(item), byKey));
  }

  /** The histories of all instances, by partition key. */
  get histories(): ReadonlyMap<string, readonly Commit[]> {
    const names = this.database
      .items(instancesTable)
      .filter(({ sk }) => sk!.S!.startsWith(commitPrefix))
      .map(({ pk }) => pk!.S!);
    return new Map([...new Set(names)].map((name) => [name, this.commitsOf(instanceOf(name))]));
  }

  rowOf(instance: InstanceKey): StatusRow | undefined {
    const item = this.#rowItem(instance);
    return item && toStatusRow(item);
  }

  /** Writes commits directly to the table, as another process would. Replaces commits with the same version. */
  putCommits(...commits: readonly Commit[]): void {
    for (const { commit, bodies } of commits.map(toItems))
      for (const item of [...bodies, commit]) this.database.put(instancesTable, item);
  }

  /** Writes a status row directly to the table. Keeps the announced queue changes of the existing row. */
  putRow(row: StatusRow): void {
    const before: Item = this.#rowItem(row) ?? keyOfRow(row);
    const parked = row.parked > 0 ? indexKeysOf('parked', row, row.updatedAt, partitions) : {};
    const queue = { ...parked, parked: { N: String(row.parked) } };
    const { queueVersion, parking, pk, sk } = before;
    const kept: Item = {
      pk: pk!,
      sk: sk!,
      ...(queueVersion && { queueVersion }),
      ...(parking && { parking }),
    };
    this.database.put(instancesTable, statusInUseItem(row));
    this.database.put(instancesTable, { ...kept, ...attributesOf(row, partitions), ...queue });
  }

  /** Deletes the status row of an instance directly from the table. */
  deleteRow(instance: InstanceKey): void {
    this.database.delete(instancesTable, keyOfRow(instance));
  }

  /** Deletes a commit directly from the table, without its large bodies. */
  deleteCommit(commit: InstanceKey & { readonly version: number }): void {
    this.database.delete(instancesTable, itemKey(commit, commitKey(commit.version)));
  }

  #rowItem(instance: InstanceKey): Item | undefined {
    const items = this.database.items(instancesTable, partitionOf(instance));
    return items.find(({ sk }) => sk!.S === statusKey);
  }

  #faultOf(access: ItemAccess): Error | undefined {
    try {
      this.interfere(access);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}

export const writesCommit = ({ kind, sk }: ItemAccess) =>
  kind === 'put' && sk.startsWith(commitPrefix);

/** Reports whether an access writes a status row for a commit. Queue changes are not included. */
export const writesStatus = ({ sk, attributes }: ItemAccess) =>
  sk === statusKey && attributes.includes('version') && !attributes.includes('queueVersion');

/** Returns a hook that throws an error for each access for which `isFailing` returns true. */
export const failing =
  (isFailing: (access: ItemAccess) => boolean, message = 'throttled') =>
  (access: ItemAccess): void => {
    if (isFailing(access)) throw new Error(message);
  };

const keyOfRow = (instance: InstanceKey) => ({
  pk: { S: partitionOf(instance) },
  sk: { S: statusKey },
});
