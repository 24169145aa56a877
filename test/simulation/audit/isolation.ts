import { hash } from 'node:crypto';
import { nameOf, type RunLog } from '../log.ts';
import { text } from './item.ts';
import type { Instance } from './tables.ts';

/** As many lanes as a shard has in production. */
export const lanes = 10;

/** The lane that the records of a partition key go through. */
export const laneOf = (partitionKey: string): number =>
  hash('md5', partitionKey, 'buffer').readUInt32BE(12) % lanes;

/** In milliseconds, how long after their events were put the commits of neighbors may be made. */
export interface Bounds {
  /** The partition key whose records trouble the others. */
  readonly of: string;
  /** Those of neighbors in another lane. */
  readonly otherLane: number;
  /** Those of neighbors in the same lane. */
  readonly sameLane: number;
  /** So often, at least, the model fails on an event before that is parked. */
  readonly attempts: number;
}

/** While one instance is stuck, slow or flooded, the others go on in bounded time, and it has all its attempts. */
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
    if (took > bound) yield `${key}: ${nameOf(event)} was held up for ${took} ms by others`;
  }
}
