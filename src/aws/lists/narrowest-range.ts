import type { InstanceQuery } from '../../api/stores/instance-lists.ts';
import { parkedStatus } from '../../core/status/status-row.ts';
import type { ModelRegistry } from '../../stores/model-registry.ts';
import { shardsOf } from '../instances/instance-keys.ts';
import { endOfMoment, statusIndexes } from '../instances/status-item.ts';
import type { IndexRange } from './status-index.ts';

/** All instances, by latest change. */
export const allInstances: IndexRange = {
  index: statusIndexes.byChange,
  partitions: shardsOf('all'),
};

/** Returns the range of the instances of a model that have a given status. */
const withStatus = (model: string, status: string): IndexRange => ({
  index: statusIndexes.byStatus,
  partitions: shardsOf(`${model}#${status}`),
});

/**
 * Selects the narrowest range that contains all instances of a query. If the statuses are known, it is a range by
 * model and status.
 */
export async function narrowestRange(
  models: Pick<ModelRegistry, 'list'>,
  { model, status, lateBy, parked }: InstanceQuery,
): Promise<IndexRange> {
  // Few instances are late or have parked events, and these lists are sorted by when the instance became late or its
  // oldest parked event arrived.
  if (parked) return { index: statusIndexes.byParked, partitions: shardsOf('parked') };
  if (lateBy !== undefined)
    return {
      index: statusIndexes.byLate,
      partitions: shardsOf('late'),
      below: endOfMoment(lateBy),
    };
  if (model === undefined && status === undefined) return allInstances;
  // An instance keeps its status even if the registered model no longer declares it.
  if (model !== undefined && status !== undefined) return withStatus(model, status);
  const entries = (await models.list()).filter(({ id }) => model === undefined || id === model);
  // A model that was removed from the registry can still have instances.
  if (model !== undefined && entries.length === 0) return allInstances;
  const declaring = entries.filter(
    ({ statuses }) => status === undefined || statuses.includes(status),
  );
  // An instance can have a status that its model declared earlier or that Milepost set.
  const partitions = (declaring.length > 0 ? declaring : entries).flatMap(({ id, statuses }) =>
    (status === undefined ? [...statuses, parkedStatus] : [status]).flatMap(
      (each) => withStatus(id, each).partitions,
    ),
  );
  return { index: statusIndexes.byStatus, partitions };
}
