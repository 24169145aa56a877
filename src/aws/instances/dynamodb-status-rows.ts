import { isDeepStrictEqual } from 'node:util';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { StatusRows, StoredRow } from '../../model-runtime/audit/status-rows.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { keyIndexItems, writeKeyIndex } from '../lists/key-index.ts';
import { IndexPartitions } from './index-partitions.ts';
import { itemKey, statusKey } from './instance-keys.ts';
import type { Partitions } from './partition-counts.ts';
import { attribute, type DerivedAttributes } from './status-attributes.ts';
import { derivedAttributes, isMarkedLate, toStatusRow, versionIn } from './status-item.ts';
import { statusRewrite } from './status-updates.ts';
import { StatusesInUse } from './statuses-in-use.ts';

/** Reads and writes status rows and their key index items in the instances table. */
export class DynamoDbStatusRows implements StatusRows {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #partitions: IndexPartitions;
  readonly #statuses: StatusesInUse;

  /** @param clock measures the age of cached settings. Default: the system clock. */
  constructor(client: DynamoDb, table: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#table = table;
    const instances = { client, table, clock };
    this.#partitions = new IndexPartitions(instances);
    this.#statuses = new StatusesInUse(instances);
  }

  async read(instance: InstanceKey): Promise<StoredRow | undefined> {
    const Key = itemKey(instance, statusKey);
    const got = { TableName: this.#table, Key, ConsistentRead: true };
    const { Item: item } = await this.#client.getItem(got);
    if (!item) return undefined;
    const every = await this.#partitions.every();
    const row = rowIn(item, every);
    const isFound = row && (await this.#isFound(row, every));
    const version = item.version?.N === undefined ? undefined : versionIn(item);
    return { version, row: isFound ? row : undefined };
  }

  async rewrite(newest: Head, seen: StoredRow | undefined): Promise<'written' | 'conflict'> {
    const partitions = await this.#partitions.toWrite();
    await this.#statuses.record([{ model: newest.model, status: newest.description.status }]);
    const [found] = await writeKeyIndex(this.#client, this.#table, [newest], partitions);
    if (found && 'error' in found) throw found.error;
    const update = statusRewrite(this.#table, newest, seen?.version, partitions);
    const isWritten = await tryConditionalWrite(() => this.#client.updateItem(update));
    return isWritten ? 'written' : 'conflict';
  }

  /** Returns true if lists by status and by business key can find a row. */
  async #isFound(row: StatusRow, every: readonly Partitions[]): Promise<boolean> {
    const found = await Promise.all([this.#statuses.has(row), this.#isFoundByKeys(row, every)]);
    return found.every(Boolean);
  }

  async #isFoundByKeys(row: StatusRow, every: readonly Partitions[]): Promise<boolean> {
    if (row.keys.length === 0) return true;
    const places = row.keys.map((key) => [
      ...new Map(
        every
          .flatMap((partitions) => keyIndexItems(row, [key], partitions))
          .map((item) => [item.pk!.S!, item]),
      ).values(),
    ]);
    const found = await batchGet(this.#client, this.#table, places.flat(), { attributes: ['pk'] });
    const partitions = new Set(found.map(({ pk }) => pk!.S));
    return places.every((items) => items.some(({ pk }) => partitions.has(pk!.S)));
  }
}

/**
 * Parses a row. Returns undefined if the row is malformed or its index attributes are inconsistent with its content.
 *
 * @param every all numbers of partitions that may have been in use when the row was written.
 */
function rowIn(item: Item, every: readonly Partitions[]): StatusRow | undefined {
  try {
    const row = toStatusRow(item);
    const isLate = isMarkedLate(item);
    const isWritten = every.some((each) =>
      isConsistent(item, derivedAttributes(row, each, isLate)),
    );
    return isWritten ? row : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true if an item has the attributes that are derived from its row, and no obsolete ones. */
const isConsistent = (item: Item, attributes: DerivedAttributes) =>
  Object.entries(attributes).every(([name, value]) =>
    // The clock moves instances within the due timer index, so `dueKey` may differ.
    name === attribute('dueKey') && value
      ? item[name]?.S !== undefined
      : isDeepStrictEqual(item[name], value),
  );
