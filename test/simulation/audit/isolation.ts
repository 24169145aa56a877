import { hash } from 'node:crypto';
import { nameOf, type RunLog } from '../log.ts';
import { text } from './item.ts';
import type { Instance } from './tables.ts';

/** The number of lanes per shard in a deployment with default options. */
export const lanes = 10;

/** Returns the lane of the records with a partition key. */
export const laneOf = (partitionKey: string): number =>
  hash('md5', partitionKey, 'buffer').readUInt32BE(12) % lanes;

/** The limits that an audit checks. Delays are from the put of a neighbor's event to its commit, in milliseconds. */
export interface Bounds {
  /** The partition key whose records affect the neighbors. */
  readonly of: string;
  /** The maximum delay of neighbors in another lane. */
  readonly otherLane: number;
  /** The maximum delay of neighbors in the same lane. */
  readonly sameLane: number;
  /** The minimum number of failures of the model before an event is parked. */
  readonly attempts: number;
}

/**
 * Checks that other instances continue in bounded time while one instance is stuck, slow, or flooded, and that this
 * instance gets all its attempts.
 */
export function* auditIsolation(
  instances: readonly Instance[],
  { failures, isolation, puts }: RunLog,
): Generator<string> {
  if (!isolation) return;
  for (const { key, parked } of instances) {
    const [head] = parked;
    const times = failures.get(head?.name ?? '') ?? 0;
    if (head && times < isolation.bounds.attempts)
      yield `${key}: ${head.name} was parked after ${times} failures`;
  }
  const madeAt = new Map(
    instances.flatMap(({ key, commits }) =>
      commits.flatMap(({ item, entries }) =>
        entries.map(({ name }) => [`${key} ${name}`, Date.parse(text(item, 'at'))] as const),
      ),
    ),
  );
  for (const { event, partitionKey, arrivedAt } of puts) {
    if (!event || !isolation.neighbors.includes(event.transaction)) continue;
    const { of, sameLane, otherLane } = isolation.bounds;
    const bound = laneOf(partitionKey) === laneOf(of) ? sameLane : otherLane;
    const key = `${event.model}#${event.transaction}`;
    const made = madeAt.get(`${key} ${nameOf(event)}`) ?? Number.POSITIVE_INFINITY;
    const took = made - arrivedAt;
    if (took > bound) yield `${key}: ${nameOf(event)} was delayed for ${took} ms by others`;
  }
}
