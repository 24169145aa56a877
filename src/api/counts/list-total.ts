import { statusOfTotal, statusTotal, totals } from '../../core/counters/counter.ts';
import type { Counts } from '../stores/counts.ts';
import type { InstanceQuery } from '../stores/instance-lists.ts';
import { instancesOfTotal } from './instances-of-total.ts';

/**
 * Returns the total number of instances in a list, or undefined if the counters do not contain it. For one model and
 * for all models, the counters contain these totals: all instances, the instances with each status, late instances, and
 * instances with parked events.
 */
export async function listTotal(
  counts: Counts,
  { model, status, prefix, key, lateBy, atRiskBy, parked }: InstanceQuery,
): Promise<number | undefined> {
  const isFiltered = (prefix ?? key ?? atRiskBy) !== undefined;
  const conditions = [status, lateBy, parked].filter((each) => each !== undefined);
  if (isFiltered || conditions.length > 1) return undefined;
  const isListed = (total: string) => {
    if (parked) return total === totals.parked;
    if (lateBy !== undefined) return total === totals.late;
    return status === undefined
      ? statusOfTotal(total) !== undefined
      : total === statusTotal(status);
  };
  const models = model === undefined ? await counts.countedModels() : [model];
  return sumOfTotals(await counts.totals(models), isListed);
}

/** Adds up the totals that `isWanted` selects by name, over all given models. Returns at least 0. */
export function sumOfTotals(
  byModel: ReadonlyMap<string, ReadonlyMap<string, number>>,
  isWanted: (total: string) => boolean,
): number {
  const wanted = [...byModel.values()].flatMap((each) =>
    [...each].filter(([total]) => isWanted(total)),
  );
  return instancesOfTotal(wanted.reduce((sum, [, instances]) => sum + instances, 0));
}
