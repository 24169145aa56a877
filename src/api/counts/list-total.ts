import { statusOfTotal, statusTotal, totals } from '../../core/counters/counter.ts';
import type { Counts } from '../stores/counts.ts';
import type { InstanceQuery } from '../stores/instance-lists.ts';
import { instancesOfTotal } from './instances-of-total.ts';

/**
 * Returns the total number of instances in a list, if the counters contain it: for the instances of a model, with or
 * without a status, and for those with parked events. Models that were removed from the registry can still have
 * instances, so the total of all models is unknown.
 */
export async function listTotal(
  counts: Counts,
  { model, status, prefix, key, lateBy, parked }: InstanceQuery,
): Promise<number | undefined> {
  const isFiltered = prefix !== undefined || key !== undefined || lateBy !== undefined;
  if (model === undefined || isFiltered || (parked && status !== undefined)) return undefined;
  const counters = (await counts.totals([model])).get(model) ?? new Map<string, number>();
  const sum = (names: readonly string[]) =>
    names.reduce((total, name) => total + (counters.get(name) ?? 0), 0);
  const statuses = [...counters.keys()].filter((name) => statusOfTotal(name) !== undefined);
  const listed = status === undefined ? statuses : [statusTotal(status)];
  return instancesOfTotal(sum(parked ? [totals.parked] : listed));
}
