import pMap from 'p-map';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { progressOf } from '../instances/commit-item.ts';
import { commitKey, itemKey, partitionOf, statusKey } from '../instances/instance-keys.ts';
import type { InstancesTable } from '../instances/instances-table.ts';
import { readLastItem } from '../instances/read-items.ts';
import { toStatusRow } from '../instances/status-item.ts';
import { concurrency } from './status-index.ts';

/** Reads status rows from the instances table. */
export class StatusRowReader {
  readonly #instances: InstancesTable;

  constructor(instances: InstancesTable) {
    this.#instances = instances;
  }

  /**
   * Reads the rows with the given partition keys, by partition key. Omits missing and malformed rows, so lists can
   * still show the other instances. An audit reports malformed rows, and a rebuild repairs them.
   */
  async read(partitions: readonly string[]): Promise<Map<string, StatusRow>> {
    const keys = [...new Set(partitions)].map((pk) => ({ pk: { S: pk }, sk: { S: statusKey } }));
    const { client, table } = this.#instances;
    const found = await batchGet(client, table, keys);
    return new Map(found.flatMap(rowIn));
  }

  /**
   * Updates each row's version, update time, and model version to the latest commit. The stored values are stale if
   * the latest commits changed no field that lists filter or sort on.
   */
  async withLatestProgress(rows: readonly StatusRow[]): Promise<StatusRow[]> {
    const { client, table } = this.#instances;
    const keys = rows.map((row) => itemKey(row, commitKey(row.version + 1)));
    const found = await batchGet(client, table, keys, { attributes: ['pk'] });
    const ahead = new Set(found.map(({ pk }) => pk!.S));
    return pMap(rows, (row) => (ahead.has(partitionOf(row)) ? this.#atLatestCommit(row) : row), {
      concurrency,
    });
  }

  async #atLatestCommit(row: StatusRow): Promise<StatusRow> {
    const latest = await readLastItem(this.#instances, row);
    return latest ? { ...row, ...progressOf(latest) } : row;
  }
}

/** Parses an item. Returns the row with its partition key, or an empty array if the row is malformed. */
function rowIn(item: Item): [partition: string, row: StatusRow][] {
  try {
    return [[item.pk!.S!, toStatusRow(item)]];
  } catch {
    return [];
  }
}
