import pMap from 'p-map';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { progressOf } from '../instances/commit-item.ts';
import { commitKey, commitPrefix, partitionOf, statusKey } from '../instances/instance-keys.ts';
import { toStatusRow } from '../instances/status-item.ts';
import { concurrency } from './status-index.ts';

/** Reads status rows from the instances table. */
export class StatusRowReader {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Reads the rows with the given partition keys, by partition key. Omits missing and malformed rows, so lists can
   * still show the other instances. An audit reports malformed rows, and a rebuild repairs them.
   */
  async read(partitions: readonly string[]): Promise<Map<string, StatusRow>> {
    const keys = [...new Set(partitions)].map((pk) => ({ pk: { S: pk }, sk: { S: statusKey } }));
    const found = await batchGet(this.#client, this.#table, keys);
    return new Map(found.flatMap(rowIn));
  }

  /**
   * Updates each row's version, update time, and model version to the latest commit. The stored values are outdated if
   * the latest commits changed no field that lists filter or sort on.
   */
  async withLatestProgress(rows: readonly StatusRow[]): Promise<StatusRow[]> {
    const next = rows.map((row) => ({ pk: partitionOf(row), sk: commitKey(row.version + 1) }));
    const keys = next.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
    const found = await batchGet(this.#client, this.#table, keys, { attributes: ['pk'] });
    const ahead = new Set(found.map(({ pk }) => pk!.S));
    return pMap(rows, (row) => (ahead.has(partitionOf(row)) ? this.#atLatestCommit(row) : row), {
      concurrency,
    });
  }

  async #atLatestCommit(row: StatusRow): Promise<StatusRow> {
    const { Items } = await this.#client.query({
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :commits)',
      ExpressionAttributeValues: {
        ':pk': { S: partitionOf(row) },
        ':commits': { S: commitPrefix },
      },
      // With an eventually consistent read, the latest commit could be older than the row.
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1,
    });
    return Items?.[0] ? { ...row, ...progressOf(Items[0]) } : row;
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
