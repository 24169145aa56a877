import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { settleEach } from '../dynamodb/settle.ts';
import { headFrom, StoredCommit } from './commit-item.ts';
import { commitKey, itemKey, partitionOf } from './instance-keys.ts';
import type { InstancesTable } from './instances-table.ts';
import { readItems, readLastItem } from './read-items.ts';

/**
 * The maximum number of instances whose latest commits are read with separate queries. A query consumes fewer read
 * units than batch requests for successive commits, but takes more CPU time. If a shard receives as many events as it
 * can, a batch contains about a hundred. Much larger batches show that events are waiting, so CPU time matters more
 * (docs/decisions/0047).
 */
const maximumQueries = 200;
/** How many batch requests can follow successive commits. If they do not reach the latest commit, a query reads it. */
const maximumSteps = 4;

/** An instance and the version of one of its commits. */
export interface KnownCommit {
  readonly key: InstanceKey;
  readonly version: number;
}

/**
 * Reads the head of each instance with eventual consistency, so a head can be stale. Returns undefined for an instance
 * that no longer exists.
 */
export async function readLatestHeads(
  instances: InstancesTable,
  known: readonly KnownCommit[],
): Promise<SettledResult<Head | undefined>[]> {
  const batched = known.length > maximumQueries ? await followCommits(instances, known) : undefined;
  return settleEach([...known.entries()], async ([n, each]) => {
    const found = batched ? batched[n] : await queryLatest(instances, each);
    const item = found ?? (await readLastItem(instances, each.key));
    return item && headFrom(new StoredCommit(item));
  });
}

async function queryLatest(
  instances: InstancesTable,
  { key, version }: KnownCommit,
): Promise<Item | undefined> {
  const range = { from: version, descending: true, limit: 1, isConsistent: false };
  const { items } = await readItems(instances, key, range);
  return items[0];
}

/**
 * Reads the known commits and their successors with batch requests. Returns undefined for an instance whose known
 * commit is missing or whose latest commit is too many steps away.
 */
async function followCommits(
  { client, table, clock }: InstancesTable,
  known: readonly KnownCommit[],
): Promise<(Item | undefined)[]> {
  const searches = known.map(({ key, version }) => ({
    key,
    version,
    item: undefined as Item | undefined,
  }));
  let open = searches;
  for (let step = 0; step < maximumSteps && open.length > 0; step++) {
    const wanted = open.flatMap(({ key, version, item }) =>
      (item ? [version + 1] : [version, version + 1]).map((each) => itemKey(key, commitKey(each))),
    );
    const found = await batchGet(client, table, wanted, { clock, isConsistent: false });
    const items = new Map(found.map((item) => [`${item.pk!.S} ${item.sk!.S}`, item]));
    const itemOf = (key: InstanceKey, version: number) =>
      items.get(`${partitionOf(key)} ${commitKey(version)}`);
    open = open.filter((each) => {
      const next = itemOf(each.key, each.version + 1);
      each.item = next ?? each.item ?? itemOf(each.key, each.version);
      if (next) each.version++;
      return next;
    });
  }
  for (const each of open) each.item = undefined;
  return searches.map(({ item }) => item);
}
