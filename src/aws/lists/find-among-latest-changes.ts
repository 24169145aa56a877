import { addMatching } from './find-along-changes.ts';
import { allInstances } from './narrowest-range.ts';
import { type IndexedRow, matchesKey, type QueryPlan } from './query-plan.ts';
import { following } from './status-index.ts';

/**
 * Finds the instances of a model among the latest changes of all models, if they fill a page. This plan reads the
 * partitions of one index key, while the index by status has a key for each status of the model.
 */
export const findAmongLatestChanges: QueryPlan = async (dependencies, query, { limit, cursor }) => {
  const { model, status, lateBy, atRiskBy, parked, prefix, order = 'newest' } = query;
  const isNarrower = status ?? lateBy ?? atRiskBy ?? parked ?? prefix;
  if (model === undefined || isNarrower !== undefined || order !== 'newest') return undefined;
  const { count } = await dependencies.partitions.toRead();
  const range = allInstances(count);
  const { items } = await dependencies.index.first(range, following(order, cursor), limit + 1);
  const candidates = items.filter(({ pk }) => matchesKey(pk!.S!, query)).slice(0, limit + 1);
  if (candidates.length <= limit) return undefined;
  const found = new Map<string, IndexedRow>();
  await addMatching(dependencies, found, candidates, query, range.index.sort);
  return found.size > limit ? [...found.values()] : undefined;
};
