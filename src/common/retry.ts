import type { Clock } from './clock.ts';

/** How often work is tried, and how it waits in between. */
export interface RetryOptions {
  readonly attempts: number;
  /**
   * Returns how long to wait after a failure, in milliseconds; undefined where another attempt would fail as well.
   *
   * @param attempt The number of the attempt that failed, from 1. It is not called for the last one.
   */
  readonly pauseAfter: (thrown: unknown, attempt: number) => number | undefined;
  readonly clock: Clock;
  /** Ends the pauses. Default: nothing does. */
  readonly signal?: AbortSignal;
}

/**
 * Tries work until it succeeds.
 *
 * @throws what the last attempt threw, or the first failure with no pause after it.
 */
export async function retry<Value>(
  work: () => Promise<Value>,
  { attempts, pauseAfter, clock, signal }: RetryOptions,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      const pause = attempt < attempts ? pauseAfter(thrown, attempt) : undefined;
      if (pause === undefined) throw thrown;
      await clock.sleep(pause, signal);
    }
  }
}
