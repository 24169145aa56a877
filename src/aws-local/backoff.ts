import type { Random } from './random.ts';

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The pause after a number of failures in a row: doubled each time, half of it left to chance. */
export function backoffMs(failures: number, backoff: Backoff, random: Random): number {
  const longest = Math.min(backoff.maxMs, backoff.firstMs * 2 ** (failures - 1));
  return longest * (0.5 + random.fraction() / 2);
}
