import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit, CommitSummary } from '../../core/history/commit.ts';
import type { Item } from '../client/dynamodb.ts';
import { batchGet, projectionOf } from '../dynamodb/batch-get.ts';
import {
  committedAt,
  StoredCommit,
  summaryAttributes,
  summaryFrom,
  versionOf,
} from './commit-item.ts';
import { commitTimes, lastVersionBy } from './commit-times.ts';
import { commitKey, itemKey, sortKeysBetween } from './instance-keys.ts';
import type { InstancesTable } from './instances-table.ts';
import { readCommit, readCommitsWithinPage } from './read-commits.ts';

const pageSize = 25;
/** The maximum version: a commit's sort key contains ten digits. */
const maximumVersion = 9_999_999_999;

/** A range of an instance's items, and the order in which they are read. */
interface ItemRange {
  /** The version of the first commit. */
  readonly from?: number;
  /** The sort key of the last item. Default: that of the latest commit. */
  readonly upTo?: string;
  readonly descending: boolean;
  /** The maximum number of items. Default: as many as DynamoDB returns in one response of up to 1 MB. */
  readonly limit?: number;
  /** The attributes to read. Default: all attributes. */
  readonly attributes?: readonly string[];
}

/** Reads the commits of instances. See `InstanceStore` for the methods that both have. */
export class CommitReader {
  readonly #table: InstancesTable;

  constructor(table: InstancesTable) {
    this.#table = table;
  }

  /**
   * Reads the last item among an instance's commits and parked events.
   *
   * @param upTo the sort key of the last item to consider. Default: the item is that of the latest commit.
   */
  async lastItem(key: InstanceKey, upTo?: string): Promise<Item | undefined> {
    const { items } = await this.#items(key, { upTo, descending: true, limit: 1 });
    return items[0];
  }

  /** Reads a commit from its item and the items of its large texts. */
  read(item: Item): Promise<Commit> {
    return readCommit(this.#table, new StoredCommit(item));
  }

  async commitAsOf(key: InstanceKey, at: string): Promise<Commit | undefined> {
    const last = await this.lastItem(key);
    if (!last) return undefined;
    if (committedAt(last) <= at) return this.read(last);
    const { client, table } = this.#table;
    const madeAts = (versions: readonly number[]) => commitTimes(client, table, key, versions);
    const version = await lastVersionBy(at, versionOf(last), madeAts);
    if (version === 0) return undefined;
    const { commits } = await this.commitsFrom(key, version, 1);
    return commits[0];
  }

  async *commitsBefore(key: InstanceKey, version: number): AsyncGenerator<Commit> {
    for (let below = version; below > 1; ) {
      const range = { upTo: commitKey(below - 1), descending: true, limit: pageSize };
      const { items } = await this.#items(key, range);
      for (const item of items) {
        const commit = await this.read(item);
        below = commit.version;
        yield commit;
      }
      if (items.length === 0) return;
    }
  }

  async *summariesBefore(key: InstanceKey, version: number): AsyncGenerator<CommitSummary> {
    // Callers usually search for a recent commit, so the first page is small.
    let limit: number | undefined = pageSize;
    for (let below = version; below > 1; limit = undefined) {
      const upTo = commitKey(below - 1);
      const range = { upTo, descending: true, limit, attributes: summaryAttributes };
      const { items } = await this.#items(key, range);
      for (const item of items) yield summaryFrom(new StoredCommit(item));
      const last = items.at(-1);
      if (!last) return;
      below = versionOf(last);
    }
  }

  async summariesAt(key: InstanceKey, versions: readonly number[]): Promise<CommitSummary[]> {
    const { client, table, clock } = this.#table;
    const keys = versions.map((version) => itemKey(key, commitKey(version)));
    const items = await batchGet(client, table, keys, { attributes: summaryAttributes, clock });
    return items.map((item) => summaryFrom(new StoredCommit(item)));
  }

  async commitsFrom(
    key: InstanceKey,
    version: number,
    limit: number,
  ): Promise<{ commits: Commit[]; more: boolean }> {
    const range = { from: version, descending: false, limit: limit + 1 };
    const { items, cut } = await this.#items(key, range);
    // A truncated response can end with the instance's last commit. The response's last item is therefore left for the
    // next page, which could otherwise be empty although this page has `more`.
    const more = cut || items.length > limit;
    const shown = more ? items.slice(0, Math.min(limit, items.length - 1)) : items;
    const commits = await readCommitsWithinPage(this.#table, shown);
    return { commits, more: more || commits.length < shown.length };
  }

  async #items(
    key: InstanceKey,
    { from = 1, upTo = commitKey(maximumVersion), descending, limit, attributes }: ItemRange,
  ): Promise<{ items: Item[]; cut: boolean }> {
    const { Items, LastEvaluatedKey } = await this.#table.client.query({
      TableName: this.#table.table,
      ...sortKeysBetween(key, commitKey(from), upTo),
      ...(attributes && projectionOf(attributes)),
      ConsistentRead: true,
      ScanIndexForward: !descending,
      Limit: limit,
    });
    return { items: Items ?? [], cut: LastEvaluatedKey !== undefined };
  }
}
