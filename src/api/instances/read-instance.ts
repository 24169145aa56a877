import { type InstanceKey, isInstanceKey } from '../../core/event/event.ts';
import type { ConsistentRead, InstanceStore } from '../../stores/instance-store.ts';
import { Problem } from '../http/problem.ts';
import { instanceName } from './instance-name.ts';

/** The answer to who asks for an instance that is not there. */
export const unknownInstanceProblem = (key: InstanceKey) =>
  new Problem(404, `there is no instance ${instanceName(key)}`);

/** @throws Problem 404 for what no instance can be called by. */
export function checkInstanceKey(key: InstanceKey): InstanceKey {
  if (isInstanceKey(key)) return key;
  throw unknownInstanceProblem(key);
}

/** How far an instance is; undefined where there is none. */
export async function findInstance(
  instances: InstanceStore,
  key: InstanceKey,
): Promise<ConsistentRead | undefined> {
  const [answer] = await instances.readConsistent([key]);
  if ('error' in answer!) throw answer.error;
  const { commit, hasParked } = answer!.value;
  return commit || hasParked ? answer!.value : undefined;
}

/**
 * How far an instance is.
 *
 * @throws Problem 404 where there is none.
 */
export async function readInstance(
  instances: InstanceStore,
  key: InstanceKey,
): Promise<ConsistentRead> {
  const found = await findInstance(instances, key);
  if (found) return found;
  throw unknownInstanceProblem(key);
}
