import { type InstanceKey, isInstanceKey } from '../../core/event/event.ts';
import type { InstanceStore, Newest } from '../../stores/instance-store.ts';
import { Problem } from '../http/problem.ts';
import { nameOf } from './instance-name.ts';

/** The answer to who asks for an instance that is not there. */
export const noInstance = (key: InstanceKey) =>
  new Problem(404, `there is no instance ${nameOf(key)}`);

/** @throws Problem 404 for what no instance can be called by. */
export function instanceKey(key: InstanceKey): InstanceKey {
  if (isInstanceKey(key)) return key;
  throw noInstance(key);
}

/** How far an instance is; undefined where there is none. */
export async function findNewest(
  instances: InstanceStore,
  key: InstanceKey,
): Promise<Newest | undefined> {
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
export async function newest(instances: InstanceStore, key: InstanceKey): Promise<Newest> {
  const found = await findNewest(instances, key);
  if (found) return found;
  throw noInstance(key);
}
