import type { Clock } from './clock.ts';

/** The maximum number of attempts, and the delay between two attempts. */
export interface RetryOptions {
  readonly attempts: number;
  /**
   * Returns the delay after a failure, in milliseconds; undefined to give up, if another attempt would also fail.
   *
   * @param attempt the number of the failed attempt, starting at 1. The function is not called after the last attempt.
   */
  readonly pauseAfter: (thrown: unknown, attempt: number) => number | undefined;
  readonly clock: Clock;
  /** Ends the current delay when it aborts, so the next attempt starts immediately. Default: none. */
  readonly signal?: AbortSignal;
}

/**
 * Runs an operation until it succeeds, `pauseAfter` returns undefined, or no attempts are left.
 *
 * @throws the error from the last attempt.
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
