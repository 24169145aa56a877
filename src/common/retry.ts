import type { Clock } from './clock.ts';

/** The number of attempts and the delay between them. */
export interface RetryOptions {
  readonly attempts: number;
  /**
   * Returns the delay after a failure, in milliseconds; undefined if another attempt would fail as well.
   *
   * @param attempt The number of the failed attempt, from 1. Not called for the last one.
   */
  readonly pauseAfter: (thrown: unknown, attempt: number) => number | undefined;
  readonly clock: Clock;
  /** Aborts delays: the next attempt starts immediately. Default: none. */
  readonly signal?: AbortSignal;
}

/**
 * Runs an operation, and repeats it until it succeeds.
 *
 * @throws the error of the last attempt, or the first one without a delay after it.
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
