import { type Bounds, laneOf } from './audit/isolation.ts';
import type { Nuisance } from './scenario.ts';

/** The instance, or the partition key, that causes problems for other instances. */
export const nuisanceKey = 'T1';

const names = Array.from({ length: 400 }, (_, n) => `steady-${n}`);
const isLaneMate = (name: string) => laneOf(name) === laneOf(nuisanceKey);

/**
 * The instances that regularly receive events. Two are in the same lane as `nuisanceKey`, and six are in other lanes.
 */
export const neighbors: readonly string[] = [
  ...names.filter(isLaneMate).slice(0, 2),
  ...names.filter((name) => !isLaneMate(name)).slice(0, 6),
];

/** Returns the number of events for neighbors, and the pauses between them in milliseconds. */
export const floodRate = (
  nuisance: Nuisance,
): { readonly pause: number; readonly times: number } =>
  nuisance === 'starved' ? { pause: 120_000, times: 75 } : { pause: 2_000, times: 60 };

const second = 1_000;

/** Returns the maximum delays of neighbors, including clock errors. */
export function boundsOf(nuisance: Nuisance, modelTimeout: number): Bounds {
  const sameLane = {
    flood: 60 * second,
    producer: 60 * second,
    // Allow five timeouts: for the batch, the instance, and three attempts. With many instances, allow twice as many,
    // and a reserve of two.
    blocks: 12 * modelTimeout + 60 * second,
    throws: 60 * second,
    // An event that AWS rejects is parked after two hours if AWS works for other instances.
    starved: 2.5 * 60 * 60 * second,
  }[nuisance];
  // With a long timeout, the dispatcher has no time for all attempts.
  const isTried = nuisance === 'throws' || (nuisance === 'blocks' && modelTimeout < 60 * second);
  return { of: nuisanceKey, sameLane, otherLane: 10 * second, attempts: isTried ? 3 : 0 };
}
