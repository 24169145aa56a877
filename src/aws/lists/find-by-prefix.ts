import { indexPartitionsOf } from '../instances/instance-keys.ts';
import { statusIndexes } from '../instances/status-indexes.ts';
import { type QueryPlan, readMatching } from './query-plan.ts';

/** The maximum number of matches that are read and sorted in memory. */
const maximumMatches = 200;

/**
 * Reads all instances whose transaction ids start with the given prefix, unless there are more than `maximumMatches`.
 * Does not suit a list of instances with parked events.
 */
export const findByPrefix: QueryPlan = async (dependencies, query, page) => {
  const { model, prefix, parked } = query;
  if (!prefix || parked) return undefined;
  const { index, statuses, partitions: counts } = dependencies;
  const { byTransaction } = await counts.toRead();
  const ids = model ? [model] : (await statuses.list()).map((each) => each.model);
  const range = {
    index: statusIndexes.byTransaction,
    partitions: [...new Set(ids)].flatMap((id) => indexPartitionsOf(id, byTransaction)),
  };
  const condition = { comparison: 'begins_with(#sort, :sort)', sort: prefix };
  const { items, more } = await index.first(range, condition, maximumMatches + 1);
  if (more || items.length > maximumMatches) return undefined;
  const partitions = items.map((item) => item.pk!.S!);
  return readMatching(dependencies, partitions, query, page);
};
