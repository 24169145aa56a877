import type { InstanceQuery } from '../../api/stores/instance-lists.ts';
import { parkedStatus } from '../../core/status/status-row.ts';
import { indexPartitionsOf } from '../instances/instance-keys.ts';
import { endOfMoment, statusIndexes } from '../instances/status-item.ts';
import type { PlanDependencies } from './query-plan.ts';
import type { IndexRange } from './status-index.ts';

/**
 * Returns the range of all instances, by latest change.
 *
 * @param count the number of partitions.
 */
export const allInstances = (count: number): IndexRange => ({
  index: statusIndexes.byChange,
  partitions: indexPartitionsOf('all', count),
});

/** Returns the range of the instances of a model that have a given status. */
const withStatus = (model: string, status: string, count: number): IndexRange => ({
  index: statusIndexes.byStatus,
  partitions: indexPartitionsOf(`${model}#${status}`, count),
});

/**
 * Selects the narrowest range that contains all instances of a query. If the possible statuses are known, this is a
 * range of the index by status.
 */
export async function narrowestRange(
  { models, partitions: counts }: Pick<PlanDependencies, 'models' | 'partitions'>,
  { model, status, lateBy, atRiskBy, parked }: InstanceQuery,
): Promise<IndexRange> {
  const { count } = await counts.toRead();
  // Few instances are late, are at risk or have parked events. Their indexes are sorted by when the instance became
  // late or at risk, or by when its oldest parked event arrived.
  if (parked)
    return { index: statusIndexes.byParked, partitions: indexPartitionsOf('parked', count) };
  const moment = lateBy ?? atRiskBy;
  if (moment !== undefined)
    return {
      index: statusIndexes.byLate,
      partitions: indexPartitionsOf('late', count),
      below: endOfMoment(moment),
    };
  if (model === undefined && status === undefined) return allInstances(count);
  // An instance keeps its status even if the registered model no longer declares that status.
  if (model !== undefined && status !== undefined) return withStatus(model, status, count);
  const entries = (await models.list()).filter(({ id }) => model === undefined || id === model);
  // A model that was removed from the registry can still have instances.
  if (model !== undefined && entries.length === 0) return allInstances(count);
  const declaring = entries.filter(
    ({ statuses }) => status === undefined || statuses.includes(status),
  );
  // An instance can have a status that its model declared earlier or that Milepost set.
  const partitions = (declaring.length > 0 ? declaring : entries).flatMap(({ id, statuses }) =>
    (status === undefined ? [...statuses, parkedStatus] : [status]).flatMap(
      (each) => withStatus(id, each, count).partitions,
    ),
  );
  return { index: statusIndexes.byStatus, partitions };
}
