import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import type { OptimisticRead } from '../../stores/instance-store.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { settleEach } from '../dynamodb/settle.ts';
import { commitKey, itemKey, partitionOf, statusKey } from './instance-keys.ts';
import { queryHead } from './query-head.ts';
import { mayHaveParkedEvents } from './queue-row.ts';
import { readLatestHeads } from './read-latest-heads.ts';
import type { StatusAttribute } from './status-attributes.ts';
import { versionIn } from './status-item.ts';
import { type SeenDependencies, withWholeSeen } from './with-whole-seen.ts';

/** The attributes of a status row that show an instance's version and whether it may have parked events. */
const rowSummary = ['pk', 'sk', 'version', 'parked', 'parking'] satisfies StatusAttribute[];
/**
 * The maximum number of instances outside the cache whose latest commits and status rows are read together, with one
 * query per instance. A query takes one round trip and, unless the state is large, one read unit. For more instances,
 * reading the status rows first takes another round trip and, for each existing instance, half a read unit more, but
 * saves the queries for new instances.
 */
const maximumWholeQueries = 3;

/**
 * Finds the heads of instances. The result can be stale because batch reads of commits are eventually consistent and
 * other writers commit concurrently.
 */
export async function readHeadsOptimistic(
  sources: SeenDependencies,
  keys: readonly InstanceKey[],
): Promise<SettledResult<OptimisticRead>[]> {
  const unknown = keys.filter((key) => !sources.headCache.get(key));
  const queried = new Set(unknown.length <= maximumWholeQueries ? unknown : []);
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
 * Finds the heads of many instances. A head comes from this process's cache if no newer commit exists. If no commit
 * exists at all, the head is undefined.
 */
async function findHeads(
  sources: SeenDependencies,
  keys: readonly InstanceKey[],
): Promise<SettledResult<OptimisticRead>[]> {
  const known = keys.map((key) => sources.headCache.get(key));
  const { rows, isOld } = await readRowsAndSuccessors(sources, keys, known);
  const searches = keys.flatMap((key, index) => {
    const own = known[index]?.version ?? 0;
    const existing = Math.max(versionIn(rows[index]), own + Number(isOld[index]));
    return existing > own ? [{ index, key, version: existing }] : [];
  });
  const latest = await readLatestHeads(sources, searches);
  const searched = new Map(searches.map(({ index }, n) => [index, latest[n]!]));
  return keys.map((_, index): SettledResult<OptimisticRead> => {
    const answer = searched.get(index) ?? { value: known[index] };
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
