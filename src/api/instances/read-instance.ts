import { type InstanceKey, isInstanceKey } from '../../core/event/event.ts';
import type { ConsistentRead, InstanceStore } from '../../stores/instance-store.ts';
import { Problem } from '../http/problem.ts';
import { instanceName } from './instance-name.ts';

/** The error thrown when an instance does not exist. */
export class UnknownInstance extends Problem {
  readonly key: InstanceKey;

  constructor(key: InstanceKey) {
    super(404, `there is no instance ${instanceName(key)}`);
    this.key = key;
  }
}

/** Validates and returns a key; throws Problem 404 if no instance can have this key. */
export function checkInstanceKey(key: InstanceKey): InstanceKey {
  if (isInstanceKey(key)) return key;
  throw new UnknownInstance(key);
}

/** Reads an instance with strong consistency. Returns undefined if the instance does not exist. */
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
 * Reads an instance with strong consistency.
 *
 * @throws Problem 404 if the instance does not exist.
 */
export async function readInstance(
  instances: InstanceStore,
  key: InstanceKey,
): Promise<ConsistentRead> {
  const found = await findInstance(instances, key);
  if (found) return found;
  throw new UnknownInstance(key);
}
