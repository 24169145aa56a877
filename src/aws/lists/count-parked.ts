import type { CappedCount } from '../../stores/capped-count.ts';
import { narrowestRange } from './narrowest-range.ts';
import type { PlanDependencies } from './query-plan.ts';
import { anySort } from './status-index.ts';

/** The maximum number of items that are counted in each partition. */
const maximumCounted = 1_250;

/** Counts the instances with parked events, up to `maximumCounted` in each index partition. */
export async function countParked(dependencies: PlanDependencies): Promise<CappedCount> {
  const range = await narrowestRange(dependencies, { parked: true });
  const pages = await dependencies.index.firstPages(range, anySort, maximumCounted, {
    select: 'COUNT',
  });
  return {
    count: pages.reduce((sum, { count }) => sum + count, 0),
    more: pages.some(({ cut }) => cut),
  };
}
