import type { InstanceKey } from '../../core/event/event.ts';
import type { ModelRegistry } from '../../stores/model-registry.ts';
import { Problem } from '../http/problem.ts';
import { instanceName } from './instance-name.ts';

/**
 * Throws Problem 409 if an instance's model is not registered, because a redrive of parked events requires the model.
 */
export async function checkRedrivable(
  models: Pick<ModelRegistry, 'get'>,
  key: InstanceKey,
): Promise<void> {
  if (await models.get(key.model)) return;
  throw new Problem(
    409,
    `the parked events of ${instanceName(key)} cannot be redriven, because the model ${key.model} is not registered; deploy it first`,
  );
}
