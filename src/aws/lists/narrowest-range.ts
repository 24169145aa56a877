import type { InstanceQuery } from '../../api/stores/instance-lists.ts';
import { indexPartitionsOf, statusIndexKey } from '../instances/instance-keys.ts';
import { endOfMoment } from '../instances/status-index-keys.ts';
import { statusIndexes } from '../instances/status-indexes.ts';
import type { StatusesInUse } from '../instances/statuses-in-use.ts';
import type { PlanDependencies } from './query-plan.ts';
import type { IndexRange } from './status-index.ts';

/** Selects the narrowest range that contains all of a query's instances. */
export async function narrowestRange(
  { statuses, partitions: counts }: Pick<PlanDependencies, 'statuses' | 'partitions'>,
  { model, status, lateBy, atRiskBy, parked }: InstanceQuery,
): Promise<IndexRange> {
  const { count } = await counts.toRead();
  // Few instances are late, are at risk, or have parked events. The indexes of these instances are sorted by when each
  // instance became late or at risk, or by when its oldest parked event arrived.
  if (parked)
    return { index: statusIndexes.byParked, partitions: indexPartitionsOf('parked', count) };
  const moment = lateBy ?? atRiskBy;
  if (moment !== undefined)
    return {
      index: statusIndexes.byLate,
      partitions: indexPartitionsOf('late', count),
      below: endOfMoment(moment),
    };
  const partitions = (await matchingStatuses(statuses, { model, status })).flatMap((each) =>
    indexPartitionsOf(statusIndexKey(each), count),
  );
  return { index: statusIndexes.byStatus, partitions };
}

async function matchingStatuses(
  statuses: StatusesInUse,
  { model, status }: Pick<InstanceQuery, 'model' | 'status'>,
) {
  if (model !== undefined && status !== undefined) return [{ model, status }];
  return (await statuses.list()).filter(
    (each) =>
      (model === undefined || each.model === model) &&
      (status === undefined || each.status === status),
  );
}
