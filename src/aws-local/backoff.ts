import type { Random } from './random.ts';

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Returns how long to wait after the given number of consecutive failures, in milliseconds. The wait grows
 * exponentially, up to a maximum, and is reduced by a random share of up to one half.
 */
export function backoffMs(failures: number, backoff: Backoff, random: Random): number {
  const longest = Math.min(backoff.maxMs, backoff.firstMs * 2 ** (failures - 1));
  return longest * (0.5 + random.fraction() / 2);
}
