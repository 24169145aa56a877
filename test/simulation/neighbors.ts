import { type Bounds, laneOf } from './audit/isolation.ts';
import type { Nuisance } from './scenario.ts';

/** The instance, or the partition key, that affects the others. */
export const nuisanceKey = 'T1';

const names = Array.from({ length: 400 }, (_, n) => `steady-${n}`);
const isLaneMate = (name: string) => laneOf(name) === laneOf(nuisanceKey);

/** Instances with regular events: two in the lane of the one that affects them, six in others. */
export const neighbors: readonly string[] = [
  ...names.filter(isLaneMate).slice(0, 2),
  ...names.filter((name) => !isLaneMate(name)).slice(0, 6),
];

/** The number of events of neighbors, and the pauses between them in milliseconds. */
export const floodRate = (
  nuisance: Nuisance,
): { readonly pause: number; readonly times: number } =>
  nuisance === 'starved' ? { pause: 120_000, times: 75 } : { pause: 2_000, times: 60 };

const second = 1_000;

/** The maximum delay of neighbors, including clock errors. */
export function boundsOf(nuisance: Nuisance, modelTimeout: number): Bounds {
  const sameLane = {
    flood: 60 * second,
    producer: 60 * second,
    // The batch, the instance and three attempts time out; with many instances at once, twice.
    blocks: 12 * modelTimeout + 60 * second,
    throws: 60 * second,
    // An event that AWS rejects is parked after two hours if AWS works for others.
    starved: 2.5 * 60 * 60 * second,
  }[nuisance];
  // If many instances have long timeouts, the dispatcher runs out of time before the attempts do.
  const isTried = nuisance === 'throws' || (nuisance === 'blocks' && modelTimeout < 60 * second);
  return { of: nuisanceKey, sameLane, otherLane: 10 * second, attempts: isTried ? 3 : 0 };
}
