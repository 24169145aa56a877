import { isDeepStrictEqual } from 'node:util';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { StatusRows, StoredRow } from '../../model-runtime/audit/status-rows.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { keyIndexItems, writeKeyIndex } from '../lists/key-index.ts';
import { itemKey, statusKey } from './instance-keys.ts';
import { absentAttributes, attributesOf, statusRewrite, toStatusRow } from './status-item.ts';

/** Reads and writes the status rows of the instances table, including the items of the key index. */
export class DynamoDbStatusRows implements StatusRows {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async read(instance: InstanceKey): Promise<StoredRow | undefined> {
    const Key = itemKey(instance, statusKey);
    const got = { TableName: this.#table, Key, ConsistentRead: true };
    const { Item: item } = await this.#client.getItem(got);
    if (!item) return undefined;
    const row = rowIn(item);
    const isFound = row && (await this.#isFoundByKeys(row));
    const version = item.version?.N === undefined ? undefined : Number(item.version.N);
    return { version, row: isFound ? row : undefined };
  }

  async rewrite(newest: Head, seen: StoredRow | undefined): Promise<'written' | 'conflict'> {
    const [found] = await writeKeyIndex(this.#client, this.#table, [newest]);
    if (found && 'error' in found) throw found.error;
    const update = statusRewrite(this.#table, newest, seen?.version);
    const isWritten = await tryConditionalWrite(() => this.#client.updateItem(update));
    return isWritten ? 'written' : 'conflict';
  }

  async #isFoundByKeys(row: StatusRow): Promise<boolean> {
    const items = keyIndexItems(row, row.keys);
    const found = items.length > 0 ? await batchGet(this.#client, this.#table, items, ['pk']) : [];
    return found.length === items.length;
  }
}

/**
 * Parses a row. Returns undefined if the row is malformed, or if its index attributes are inconsistent with its
 * content.
 */
function rowIn(item: Item): StatusRow | undefined {
  try {
    const row = toStatusRow(item);
    const { dueKey, ...attributes } = attributesOf(row);
    // The clock moves instances within the index of due timers, so `dueKey` may differ.
    const isPlaced = dueKey === undefined || item.dueKey?.S !== undefined;
    const isSo = Object.entries(attributes).every(([name, value]) =>
      isDeepStrictEqual(item[name], value),
    );
    const unwanted = absentAttributes(attributesOf(row)).some((name) => name in item);
    return isSo && isPlaced && !unwanted ? row : undefined;
  } catch {
    return undefined;
  }
}
