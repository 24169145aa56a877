import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit, CommitSummary } from '../../core/history/commit.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import {
  committedAt,
  StoredCommit,
  summaryAttributes,
  summaryFrom,
  versionOf,
} from './commit-item.ts';
import { commitTimes, lastVersionBy } from './commit-times.ts';
import { commitKey, itemKey } from './instance-keys.ts';
import type { InstancesTable } from './instances-table.ts';
import { readCommit, readCommitsWithinPage } from './read-commits.ts';
import { readItems, readLastItem } from './read-items.ts';

/** The number of commits per request. */
const pageSize = 25;

/** Reads the commits of instances: see `InstanceStore`. */
export class CommitReader {
  readonly #table: InstancesTable;

  constructor(table: InstancesTable) {
    this.#table = table;
  }

  async commitAsOf(key: InstanceKey, at: string): Promise<Commit | undefined> {
    const last = await readLastItem(this.#table, key);
    if (!last) return undefined;
    if (committedAt(last) <= at) return readCommit(this.#table, last);
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
      const { items } = await readItems(this.#table, key, range);
      for (const item of items) {
        const commit = await readCommit(this.#table, item);
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
      const { items } = await readItems(this.#table, key, range);
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
    const { items, cut } = await readItems(this.#table, key, range);
    // A truncated response can end with the instance's last commit. The response's last item is therefore left for the
    // next page, which could otherwise be empty although this page has `more`.
    const more = cut || items.length > limit;
    const shown = more ? items.slice(0, Math.min(limit, items.length - 1)) : items;
    const commits = await readCommitsWithinPage(this.#table, shown);
    return { commits, more: more || commits.length < shown.length };
  }
}
