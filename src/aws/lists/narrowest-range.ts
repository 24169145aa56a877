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

/** The instances of a model with a status. */
export const withStatus = (model: string, status: string): IndexRange => ({
  index: statusIndexes.byStatus,
  partitions: shardsOf(`${model}#${status}`),
});

/**
 * Chooses the narrowest range that contains all instances of a query: by model and status if the statuses are known.
 */
export async function narrowestRange(
  models: Pick<ModelRegistry, 'list'>,
  { model, status, lateBy, parked }: InstanceQuery,
): Promise<IndexRange> {
  // Few instances are parked or late, and these lists are sorted by the start of that condition.
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
  // A model that was removed from the registry may still have instances.
  if (model !== undefined && entries.length === 0) return allInstances;
  const declaring = entries.filter(
    ({ statuses }) => status === undefined || statuses.includes(status),
  );
  // An instance may have a status that its model declared earlier or that Milepost set.
  const partitions = (declaring.length > 0 ? declaring : entries).flatMap(({ id, statuses }) =>
    (status === undefined ? [...statuses, parkedStatus] : [status]).flatMap(
      (each) => withStatus(id, each).partitions,
    ),
  );
  return { index: statusIndexes.byStatus, partitions };
}
