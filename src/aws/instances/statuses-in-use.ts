import { hash } from 'node:crypto';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { queryPages } from '../dynamodb/read-pages.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { statusIndexKey } from './instance-keys.ts';

/** A model, and a status that its instances have or had. */
export interface ModelStatus {
  readonly model: string;
  readonly status: string;
}

/** The partition key of the items. Model ids are never empty, so the key matches no instance. */
const partition = '#statuses';

/**
 * Records which statuses the instances of each model have or had. Each status has its own partitions in the index by
 * status, so a list of instances with any status reads the partitions of these statuses.
 *
 * A status is recorded before the first row with this status is written, and remains recorded even if no instance has
 * it anymore or its model is removed.
 */
export class StatusesInUse {
  readonly #client: DynamoDb;
  readonly #table: string;
  /** The index keys of the statuses that this process has recorded or read. Undefined before the first read. */
  #recorded: Set<string> | undefined;

  /** @param table the instances table. */
  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Records the statuses of rows. If recording fails, the rows must not be written, because lists would omit them. */
  async record(rows: Iterable<ModelStatus>): Promise<void> {
    // Usually, other processes have already recorded the statuses. Reading them first matters when many processes start
    // at the same time, because a partition key supports more reads than writes.
    const recorded = (this.#recorded ??= new Set(
      (await this.#read({ isConsistent: false })).map(statusIndexKey),
    ));
    for (const row of rows) {
      const indexKey = statusIndexKey(row);
      if (recorded.has(indexKey)) continue;
      await tryConditionalWrite(() =>
        this.#client.putItem({
          TableName: this.#table,
          Item: statusInUseItem(row),
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
      recorded.add(indexKey);
    }
  }

  /** True if a status is recorded. */
  async has(wanted: ModelStatus): Promise<boolean> {
    const Key = keyOf(wanted);
    const got = { TableName: this.#table, Key, ConsistentRead: true };
    return (await this.#client.getItem(got)).Item !== undefined;
  }

  /** Lists all recorded statuses. */
  list(): Promise<ModelStatus[]> {
    return this.#read({ isConsistent: true });
  }

  async #read({ isConsistent }: { readonly isConsistent: boolean }): Promise<ModelStatus[]> {
    const found: ModelStatus[] = [];
    const pages = queryPages(this.#client, {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: partition } },
      ConsistentRead: isConsistent,
    });
    for await (const { Items = [] } of pages) found.push(...Items.map(statusIn));
    return found;
  }
}

/** The sort key of a status. It contains a digest, because a status can be too long for a sort key. */
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
