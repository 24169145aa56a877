import { mapWithin } from '../../common/map-within.ts';
import type { Commit } from '../../core/history/commit.ts';
import type { Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { bodyKeysOf, commitFrom, StoredCommit } from './commit-item.ts';
import type { InstancesTable } from './instances-table.ts';

/**
 * The maximum total size of the states in commits that are returned together, and the approximate maximum total size of
 * their events' data, in characters. The states in a DynamoDB response of 1 MB are compressed and can be several
 * hundred times larger in memory.
 */
const maximumPageCharacters = 8 * 1024 * 1024;
/** How many commits with bodies are read together before their typical size is known. */
const firstCommitsWithBodies = 2;

/** Reads a commit from its item and the items of its bodies. */
export const readCommit = (table: InstancesTable, item: Item): Promise<Commit> =>
  readBodies(table, new StoredCommit(item));

async function readBodies(
  { client, table, clock }: InstancesTable,
  stored: StoredCommit,
): Promise<Commit> {
  const { pk } = stored.item;
  const keys = [...new Set(bodyKeysOf(stored))].map((sk) => ({ pk: pk!, sk: { S: sk } }));
  const bodies = await batchGet(client, table, keys, { clock });
  return commitFrom(stored, new Map(bodies.map((body) => [body.sk!.S!, body])));
}

/** Reads the first commits from their items until the states or the events' data reach the limit of a page. */
export async function readCommitsWithinPage(
  table: InstancesTable,
  items: readonly Item[],
): Promise<Commit[]> {
  const stored = mapWithin(
    maximumPageCharacters,
    items,
    (item) => new StoredCommit(item),
    ({ parts: { states } }) => states.reduce((sum, { length }) => sum + length, 0),
  );
  const commits: Commit[] = [];
  let size = 0;
  for (let together = firstCommitsWithBodies; together > 0 && commits.length < stored.length; ) {
    const next = stored.slice(commits.length, commits.length + together);
    const read = await Promise.all(next.map((each) => readBodies(table, each)));
    for (const { entries } of read) for (const { data } of entries) size += data.length;
    commits.push(...read);
    const fitting = Math.floor((maximumPageCharacters - size) / (size / commits.length));
    together = Math.min(2 * together, fitting);
  }
  return commits;
}
