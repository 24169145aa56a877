import type { InstanceKey } from '../../core/event/event.ts';
import type { ModelRegistry } from '../../stores/model-registry.ts';
import { Problem } from '../http/problem.ts';
import { instanceName } from './instance-name.ts';

/** Checks that the model of an instance with parked events is registered. @throws Problem 409 if it is not. */
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
