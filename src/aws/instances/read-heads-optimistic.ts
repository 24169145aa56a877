import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import type { OptimisticRead } from '../../stores/instance-store.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { settleEach } from '../dynamodb/settle.ts';
import { headFrom, StoredCommit } from './commit-item.ts';
import { commitKey, itemKey, partitionOf, statusKey } from './instance-keys.ts';
import { queryHead } from './query-head.ts';
import { mayHaveParkedEvents } from './queue-row.ts';
import { readLastItem } from './read-items.ts';
import type { StatusAttribute } from './status-attributes.ts';
import { versionIn } from './status-item.ts';
import { type SeenDependencies, withWholeSeen } from './with-whole-seen.ts';

/** The attributes of a status row that show an instance's version and whether it may have parked events. */
const rowSummary = ['pk', 'sk', 'version', 'parked', 'parking'] satisfies StatusAttribute[];
/** How many batch requests can follow successive commits. If they do not reach the latest commit, a query reads it. */
const maximumSteps = 4;
/**
 * The maximum number of instances outside the cache that are read with separate queries. A query takes one round trip
 * and, unless the state is large, one read unit. Batch requests take at least two round trips, and at least two read
 * units per instance, but less CPU time for many instances.
 */
const maximumQueries = 3;

/** A search for an instance's latest commit, starting from an existing version. */
interface HeadSearch {
  readonly index: number;
  readonly key: InstanceKey;
  version: number;
  item: Item | undefined;
}

/**
 * Finds the heads of instances. The result can be stale because batch reads of commits are eventually consistent and
 * other writers commit concurrently.
 */
export async function readHeadsOptimistic(
  sources: SeenDependencies,
  keys: readonly InstanceKey[],
): Promise<SettledResult<OptimisticRead>[]> {
  const unknown = keys.filter((key) => !sources.headCache.get(key));
  const queried = new Set(unknown.length <= maximumQueries ? unknown : []);
  const [fromQueries, fromBatches] = await Promise.all([
    settleEach([...queried], (key) => queryHead(sources, key)),
    findHeads(
      sources,
      keys.filter((key) => !queried.has(key)),
    ),
  ]);
  const [ofQueries, ofBatches] = [fromQueries.values(), fromBatches.values()];
  const found = keys.map((key) => (queried.has(key) ? ofQueries : ofBatches).next().value!);
  return withAllSeen(sources, found);
}

/**
 * Finds the heads of many instances with few requests. A head comes from this process's cache if no newer commit
 * exists. Otherwise, the search starts from the highest version that the status row and the cache show to exist.
 */
async function findHeads(
  sources: SeenDependencies,
  keys: readonly InstanceKey[],
): Promise<SettledResult<OptimisticRead>[]> {
  const known = keys.map((key) => sources.headCache.get(key));
  const { rows, isOld } = await readRowsAndSuccessors(sources, keys, known);
  const climbs = keys.flatMap((key, index): HeadSearch[] => {
    const told = versionIn(rows[index]);
    const own = known[index]?.version ?? 0;
    if (own >= told && !isOld[index]) return [];
    return [{ index, key, version: Math.max(told, own + Number(isOld[index])), item: undefined }];
  });
  await followCommits(sources, climbs);
  const read = await settleEach(climbs, async ({ key, item }) => {
    const newest = item ?? (await readLastItem(sources, key));
    return newest && headFrom(new StoredCommit(newest));
  });
  const climbed = new Map(climbs.map(({ index }, n) => [index, read[n]!]));
  return keys.map((_, index): SettledResult<OptimisticRead> => {
    const answer = climbed.get(index) ?? { value: known[index] };
    if ('error' in answer) return answer;
    const row = rows[index];
    return {
      value: { head: answer.value, mayHaveParked: row !== undefined && mayHaveParkedEvents(row) },
    };
  });
}

/** Adds to each head all events that its instance has seen. */
async function withAllSeen(
  sources: SeenDependencies,
  found: readonly SettledResult<OptimisticRead>[],
): Promise<SettledResult<OptimisticRead>[]> {
  const heads = found.flatMap((each) => ('value' in each && each.value.head) || []);
  const complete = await withWholeSeen(sources, heads);
  const headOf = new Map(heads.map((head, n) => [head, complete[n]!]));
  return found.map((each) => {
    if ('error' in each || !each.value.head) return each;
    return { value: { ...each.value, head: headOf.get(each.value.head) } };
  });
}

/**
 * Reads the status rows and checks whether commits exist that are newer than the cached heads. The check costs less
 * than a commit that fails its condition.
 */
async function readRowsAndSuccessors(
  { client, table, clock }: SeenDependencies,
  keys: readonly InstanceKey[],
  known: readonly (Head | undefined)[],
): Promise<{ rows: (Item | undefined)[]; isOld: boolean[] }> {
  const wanted = keys.flatMap((key, n) => [
    itemKey(key, statusKey),
    ...(known[n] ? [itemKey(key, commitKey(known[n].version + 1))] : []),
  ]);
  const found = await batchGet(client, table, wanted, { attributes: rowSummary, clock });
  const isRow = (item: Item) => item.sk!.S === statusKey;
  const rows = new Map(found.filter(isRow).map((row) => [row.pk!.S!, row]));
  const old = new Set(found.filter((item) => !isRow(item)).map((item) => item.pk!.S!));
  return {
    rows: keys.map((key) => rows.get(partitionOf(key))),
    isOld: keys.map((key) => old.has(partitionOf(key))),
  };
}

/** Finds the latest commit of each search. If a search needs too many steps, its `item` is undefined. */
async function followCommits(
  { client, table, clock }: SeenDependencies,
  climbs: readonly HeadSearch[],
): Promise<void> {
  let open = climbs;
  for (let step = 0; step < maximumSteps && open.length > 0; step++) {
    const wanted = open.flatMap(({ key, version, item }) =>
      (item ? [version + 1] : [version, version + 1]).map((each) => itemKey(key, commitKey(each))),
    );
    // A missing recent commit only makes the head stale.
    const found = await batchGet(client, table, wanted, { clock, isConsistent: false });
    const items = new Map(found.map((item) => [`${item.pk!.S} ${item.sk!.S}`, item]));
    const itemOf = ({ key }: HeadSearch, version: number) =>
      items.get(`${partitionOf(key)} ${commitKey(version)}`);
    open = open.filter((each) => {
      const next = itemOf(each, each.version + 1);
      each.item = next ?? each.item ?? itemOf(each, each.version);
      if (next) each.version++;
      return next;
    });
  }
  for (const each of open) each.item = undefined;
}
