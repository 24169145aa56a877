import type { DueTimerIndex, InstanceTimers, Visit } from '../../clock/due-timer-index.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { isPermanent } from '../../core/errors.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { executeStatements } from '../dynamodb/execute-statements.ts';
import { queryPages } from '../dynamodb/read-pages.ts';
import { timersOf } from '../instances/commit-item.ts';
import { IndexPartitions } from '../instances/index-partitions.ts';
import {
  commitKey,
  indexPartitionsOf,
  instanceOf,
  itemKey,
  partitionOf,
  statusKey,
} from '../instances/instance-keys.ts';
import { queueSummaryIn } from '../instances/queue-row.ts';
import { settleTogether } from '../instances/settle-together.ts';
import type { StatusItem } from '../instances/status-attributes.ts';
import { endOfMoment, momentOf } from '../instances/status-index-keys.ts';
import { statusIndexes } from '../instances/status-indexes.ts';
import { isMarkedLate, versionIn } from '../instances/status-item.ts';
import { visitStatement } from '../instances/status-updates.ts';

/** The number of instances per request. */
const pageSize = 100;

/** Reads and updates the due timer index in the instances table. */
export class DynamoDbDueTimerIndex implements DueTimerIndex {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Clock;
  readonly #partitions: IndexPartitions;

  /** @param clock measures the delays between attempts and the age of cached settings. Default: the system clock. */
  constructor(client: DynamoDb, table: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
    this.#partitions = new IndexPartitions({ client, table, clock });
  }

  async partitions(): Promise<string[]> {
    const { count } = await this.#partitions.toRead();
    return indexPartitionsOf('due', count);
  }

  async *dueInstances(partition: string, by: string): AsyncGenerator<InstanceKey[]> {
    const bounds = { ':end': { S: endOfMoment(by) } };
    const query = this.#query(partition, '#sort <= :end', bounds, pageSize);
    for await (const { Items = [] } of queryPages(this.#client, query))
      if (Items.length > 0) yield Items.map(({ pk }) => instanceOf(pk!.S!));
  }

  async nextDue(partition: string, after: string, by: string): Promise<string | undefined> {
    const bounds = { ':start': { S: endOfMoment(after) }, ':end': { S: endOfMoment(by) } };
    const query = this.#query(partition, '#sort BETWEEN :start AND :end', bounds, 1);
    const { Items: [item] = [] } = await this.#client.query(query);
    return item && momentOf(item[statusIndexes.byDue.sort]!.S!);
  }

  /** Builds a query for a range of a partition of the index. */
  #query(partition: string, range: string, bounds: Item, Limit: number) {
    const { name, partition: partitionKey, sort } = statusIndexes.byDue;
    return {
      TableName: this.#table,
      IndexName: name,
      KeyConditionExpression: `#partition = :partition AND ${range}`,
      ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sort },
      ExpressionAttributeValues: { ':partition': { S: partition }, ...bounds },
      Limit,
    };
  }

  /**
   * Reads the timers of up to a hundred instances with two requests: one for the status rows and one for the commits
   * that they refer to. Querying the latest commits would take one request per instance. If a status row is stale, the
   * result can contain timers that are no longer running. Firing such a timer changes nothing.
   */
  async readTimers(
    instances: readonly InstanceKey[],
  ): Promise<SettledResult<InstanceTimers | undefined>[]> {
    const read = (some: readonly InstanceKey[]) => this.#readTogether(some);
    const answers = await settleTogether(instances, (instance) => instance, read);
    const errors = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []));
    // The caller finds the instance that causes a permanent error.
    if (errors.length === instances.length && isPermanent(errors[0])) throw errors[0];
    return answers;
  }

  async #readTogether(
    instances: readonly InstanceKey[],
  ): Promise<SettledResult<InstanceTimers | undefined>[]> {
    const rows = byPartition(
      await batchGet(
        this.#client,
        this.#table,
        instances.map((instance) => itemKey(instance, statusKey)),
        { clock: this.#clock },
      ),
    );
    const commits = byPartition(
      await batchGet(
        this.#client,
        this.#table,
        [...rows.values()]
          .filter(({ dueAt }) => dueAt !== undefined)
          .map((row) => ({ pk: row.pk!, sk: { S: commitKey(versionIn(row)) } })),
        { attributes: ['pk', 'timers'], clock: this.#clock },
      ),
    );
    return instances.map((instance) => {
      const name = partitionOf(instance);
      const row = rows.get(name);
      try {
        return { value: row && toInstanceTimers(instance, row, commits.get(name)) };
      } catch (error) {
        return { error };
      }
    });
  }

  async record(visits: readonly Visit[]): Promise<SettledResult<void>[]> {
    const statements = visits.map((each) => visitStatement(this.#table, each));
    const answers = await executeStatements(this.#client, statements);
    // If the row has changed since the read, the condition fails, which is not an error.
    return answers.map((answer) => ('error' in answer ? answer : { value: undefined }));
  }
}

const byPartition = (items: readonly Item[]) => new Map(items.map((item) => [item.pk!.S!, item]));

function toInstanceTimers(
  instance: InstanceKey,
  row: StatusItem,
  commit: Item | undefined,
): InstanceTimers {
  return {
    instance,
    version: versionIn(row),
    hasParked: queueSummaryIn(row).count > 0,
    timers: commit ? timersOf(commit) : [],
    lateAt: isMarkedLate(row) ? undefined : row.lateAt?.S,
  };
}
