import type { InstanceQuery } from '../../api/stores/instance-lists.ts';
import type { Item } from '../client/dynamodb.ts';
import { narrowestRange } from './narrowest-range.ts';
import {
  type IndexedRow,
  matchesKey,
  matchesQuery,
  type PlanDependencies,
  type QueryPlan,
} from './query-plan.ts';
import { following } from './status-index.ts';

/** How long a search can take before it stops early, in milliseconds. The caller continues with the cursor. */
const timeLimit = 5_000;
/** The maximum number of items that a step reads. */
const maximumStride = 1_000;

/**
 * Reads the narrowest range that contains a query's instances until the page is full, the range ends, or time runs out.
 * Each step reads up to twice as many items as the previous step because few items may match, for example, if most late
 * instances belong to another model.
 */
export const findAlongChanges: QueryPlan = async (dependencies, query, { limit, cursor }) => {
  const range = await narrowestRange(dependencies, query);
  const { order = 'newest' } = query;
  const isInRange = (item: Item) =>
    range.below === undefined || item[range.index.sort]!.S! < range.below;
  // A search by prefix excludes most items, so each step reads more items.
  let stride = query.prefix ? 10 * limit : limit + 1;
  const found = new Map<string, IndexedRow>();
  const start = order === 'newest' ? range.below : undefined;
  const until = dependencies.clock.now() + timeLimit;
  for (let sort = cursor ?? start; found.size <= limit; ) {
    const condition = following(order, sort);
    const { items, more } = await dependencies.index.first(range, condition, stride, order);
    const step = items.slice(0, stride);
    const wanted = step.filter(isInRange);
    const candidates = wanted.filter(({ pk }) => matchesKey(pk!.S!, query));
    await addMatching(dependencies, found, candidates, query, range.index.sort);
    const isLastStep = !more && step.length === items.length;
    if (isLastStep || wanted.length < step.length) break;
    sort = step.at(-1)![range.index.sort]!.S!;
    if (found.size <= limit && dependencies.clock.now() >= until)
      return { rows: [...found.values()], continueAfter: sort };
    stride = Math.min(2 * stride, maximumStride);
  }
  return { rows: [...found.values()] };
};

/**
 * Adds the instances that match the query, in the order of their index items.
 *
 * @param found the instances found so far, by partition key. These instances keep their positions.
 * @param sort the attribute that is the index's sort key.
 */
async function addMatching(
  { rows }: PlanDependencies,
  found: Map<string, IndexedRow>,
  items: readonly Item[],
  query: InstanceQuery,
  sort: string,
): Promise<void> {
  const read = await rows.read(items.map(({ pk }) => pk!.S!));
  for (const item of items) {
    const partition = item.pk!.S!;
    const row = read.get(partition);
    // An instance that changes while the index is read can appear twice. The first position is kept.
    if (row && matchesQuery(row, query) && !found.has(partition))
      found.set(partition, { sort: item[sort]!.S!, row });
  }
}
