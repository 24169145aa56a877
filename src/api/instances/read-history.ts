import { mapWithin } from '../../common/map-within.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit } from '../../core/history/commit.ts';
import type { HistoryEntry } from '../../core/history/history-entry.ts';
import type { InstanceStore } from '../../stores/instance-store.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';
import { unknownCursorProblem } from '../http/paging.ts';
import { missingCommit } from './missing-commit.ts';
import { readInstance } from './read-instance.ts';

/** The maximum total size of the data and states on a history page, in bytes. Lambda limits a response to 6 MB. */
const maximumPageBytes = 3 * 1024 * 1024;

/** The number of commits to read first for a history page. */
const firstReadSize = 8;

interface HistoryItem {
  readonly commit: Commit;
  readonly entry: HistoryEntry;
}

interface PlacedItem extends HistoryItem {
  readonly place: string;
}

/** An index after the last entry of every commit. */
const afterEntries = 999_999;

/**
 * Reads a page of history entries, oldest first. The cursor is the position of the page's first entry: the version of
 * its commit and its index in the commit. A page ends before a missing commit.
 *
 * @throws Problem 404 if the instance does not exist; 500 if the page's first commit is missing.
 */
export async function readHistory(
  instances: InstanceStore,
  key: InstanceKey,
  { limit, cursor }: PageRequest,
): Promise<ListPage<HistoryItem>> {
  const [version, index] = parsePosition(cursor ?? '1.0');
  // Read the instance before its entries so that, while an instance is being created, the response is either a 404 or
  // contains the first entry, but is never an empty page.
  await readInstance(instances, key);
  const { commits, more, skipped } = await commitsFrom(instances, key, { version, index, limit });
  const entries = commits.flatMap(placed);
  const items = withinPageBytes(entries.slice(skipped, skipped + limit));
  const next = entries[skipped + items.length];
  if (next) return { items, cursor: next.place };
  return more ? { items, cursor: `${commits.at(-1)!.version + 1}.0` } : { items };
}

/** Reads a page of history entries, newest first. @throws Problem in the same cases as `readHistory`. */
export async function readHistoryFromEnd(
  instances: InstanceStore,
  key: InstanceKey,
  { limit, cursor }: PageRequest,
): Promise<ListPage<HistoryItem>> {
  const { commit: head } = await readInstance(instances, key);
  const latest = head?.version ?? 0;
  const [version, index] = cursor ? parsePosition(cursor) : [latest, afterEntries];
  const entries: PlacedItem[] = [];
  let expected = Math.min(version, latest);
  for await (const commit of instances.commitsBefore(key, expected + 1)) {
    if (commit.version !== expected) break;
    const end = commit.version === version ? index + 1 : undefined;
    entries.push(...placed(commit).slice(0, end).toReversed());
    expected -= 1;
    if (entries.length > limit) break;
  }
  const items = withinPageBytes(entries.slice(0, limit));
  const next = entries[items.length];
  if (next) return { items, cursor: next.place };
  if (expected === 0) return { items };
  if (items.length === 0) throw missingCommit(key, expected, latest);
  return { items, cursor: `${expected}.${afterEntries}` };
}

/** Returns a commit's entries, each with its position in the history. */
const placed = (commit: Commit): PlacedItem[] =>
  commit.entries.map((entry, at) => ({ commit, entry, place: `${commit.version}.${at}` }));

/** The entries to read for a page: the version and index of the first entry, and the maximum number of entries. */
interface EntryRange {
  readonly version: number;
  readonly index: number;
  readonly limit: number;
}

/**
 * Reads commits, starting at a version, until they contain more entries than requested, the next commit is missing, or
 * the history ends. Also returns how many of the read entries come before the first requested entry.
 *
 * @throws Problem 500 if the first commit is missing.
 */
async function commitsFrom(
  instances: InstanceStore,
  key: InstanceKey,
  { version, index, limit }: EntryRange,
): Promise<{ commits: Commit[]; more: boolean; skipped: number }> {
  const commits: Commit[] = [];
  let found = 0;
  // A commit can contain one entry or hundreds, so start with a small read and double the size of each subsequent read.
  for (let size = firstReadSize; ; size *= 2) {
    const from = version + commits.length;
    const page = await instances.commitsFrom(key, from, size);
    const gap = page.commits.findIndex((commit, at) => commit.version !== from + at);
    if (gap === 0 && commits.length === 0)
      throw missingCommit(key, version, page.commits[0]!.version);
    const read = gap === -1 ? page.commits : page.commits.slice(0, gap);
    const more = page.more || gap !== -1;
    commits.push(...read);
    found += read.reduce((sum, commit) => sum + commit.entries.length, 0);
    // A caller can make up an index that is not in the commit. Such an index must not cause additional reads.
    const skipped = Math.min(index, commits[0]?.entries.length ?? 0);
    if (gap !== -1 || !page.more || found > skipped + limit) return { commits, more, skipped };
  }
}

const withinPageBytes = (items: readonly PlacedItem[]): PlacedItem[] =>
  mapWithin(
    maximumPageBytes,
    items,
    (item) => item,
    ({ entry }) => Buffer.byteLength(entry.data) + Buffer.byteLength(entry.state),
  );

function parsePosition(place: string): [version: number, index: number] {
  const match = /^([1-9]\d{0,9})\.(\d{1,6})$/.exec(place);
  if (!match) throw unknownCursorProblem();
  return [Number(match[1]), Number(match[2])];
}
