import { hash } from 'node:crypto';
import type { Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { queryPages } from '../dynamodb/read-pages.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { statusIndexKey } from './instance-keys.ts';
import type { InstancesTable } from './instances-table.ts';

/** A model and a status that its instances have or had. */
export interface ModelStatus {
  readonly model: string;
  readonly status: string;
}

/** The maximum number of statuses that a process remembers. A model can have any number of statuses. */
const maximumRemembered = 10_000;

/** The partition key of the items. Model ids are never empty, so the key matches no instance. */
const partition = '#statuses';

/**
 * Records which statuses each model's instances have or had. Each status has its own partitions in the index by status,
 * so a list without a status filter reads the partitions of all recorded statuses.
 *
 * Each status is recorded before the first row with this status is written. The record is kept after the last instance
 * leaves the status and after the model is removed.
 */
export class StatusesInUse {
  readonly #table: InstancesTable;
  /** The index keys of the statuses that this process has recorded or read. */
  readonly #recorded = new Set<string>();

  constructor(table: InstancesTable) {
    this.#table = table;
  }

  /** Records the statuses of rows. If recording fails, the rows must not be written: lists would omit them. */
  async record(rows: Iterable<ModelStatus>): Promise<void> {
    const isUnknown = (row: ModelStatus) => !this.#recorded.has(statusIndexKey(row));
    const unknown = new Map(
      [...rows].filter(isUnknown).map((row) => [statusIndexKey(row), row] as const),
    );
    if (unknown.size === 0) return;
    // Usually, other processes have already recorded the statuses. Reading them first matters when many processes start
    // at the same time because a partition key supports more reads than writes. Only these rows' statuses are read:
    // otherwise, a model with very many statuses would delay all models' functions.
    const keys = [...unknown.values()].map(keyOf);
    const { client, table, clock } = this.#table;
    const options = { attributes: ['model', 'status'], clock, isConsistent: false };
    for (const item of await batchGet(client, table, keys, options))
      this.#remember(statusIndexKey(statusIn(item)));
    for (const row of [...unknown.values()].filter(isUnknown)) {
      await tryConditionalWrite(() =>
        client.putItem({
          TableName: table,
          Item: statusInUseItem(row),
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
      this.#remember(statusIndexKey(row));
    }
  }

  /** Returns true if a status is recorded. */
  async has(wanted: ModelStatus): Promise<boolean> {
    const { client, table } = this.#table;
    const got = { TableName: table, Key: keyOf(wanted), ConsistentRead: true };
    return (await client.getItem(got)).Item !== undefined;
  }

  /** Lists all recorded statuses. */
  async list(): Promise<ModelStatus[]> {
    const found: ModelStatus[] = [];
    const pages = queryPages(this.#table.client, {
      TableName: this.#table.table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: partition } },
      ConsistentRead: true,
    });
    for await (const { Items = [] } of pages) found.push(...Items.map(statusIn));
    return found;
  }

  #remember(indexKey: string): void {
    if (this.#recorded.size >= maximumRemembered) this.#recorded.clear();
    this.#recorded.add(indexKey);
  }
}

/** Returns the sort key of a status. It contains a digest because a status can be too long for a sort key. */
const sortKeyOf = (each: ModelStatus) => `IN-USE#${hash('sha256', statusIndexKey(each))}`;

const keyOf = (each: ModelStatus) => ({ pk: { S: partition }, sk: { S: sortKeyOf(each) } });

/** Builds the item that records a status. */
export const statusInUseItem = ({ model, status }: ModelStatus): Item => ({
  ...keyOf({ model, status }),
  model: { S: model },
  status: { S: status },
});

const statusIn = ({ model, status }: Item): ModelStatus => ({
  model: model!.S!,
  status: status!.S!,
});
