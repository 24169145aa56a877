import type {
  CappedCount,
  CappedCountByModel,
  InstanceQuery,
} from '../../api/stores/instance-lists.ts';
import { instanceOf } from '../instances/instance-keys.ts';
import { narrowestRange, withStatus } from './narrowest-range.ts';
import type { PlanDependencies } from './query-plan.ts';
import { below, highest } from './status-index.ts';

/** The maximum number of items that are counted in each partition. */
const maximumCounted = 1_250;

/** Counts the instances of a model that have a given status. */
export async function countByStatus(
  { index }: PlanDependencies,
  model: string,
  status: string,
): Promise<CappedCount> {
  const range = withStatus(model, status);
  const pages = await index.firstPages(range, below(highest), maximumCounted, 'COUNT');
  return {
    count: pages.reduce((sum, { count }) => sum + count, 0),
    more: pages.some(({ cut }) => cut),
  };
}

/** Counts the late or parked instances of each model. */
export async function countByModel(
  { index, models }: PlanDependencies,
  query: Pick<InstanceQuery, 'lateBy' | 'parked'>,
): Promise<CappedCountByModel> {
  const range = await narrowestRange(models, query);
  const pages = await index.firstPages(range, below(range.below ?? highest), maximumCounted);
  const counts = new Map<string, number>();
  for (const { pk } of pages.flatMap(({ items }) => items)) {
    const { model } = instanceOf(pk!.S!);
    counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  return { counts, more: pages.some(({ cut }) => cut) };
}
