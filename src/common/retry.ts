import type { Clock } from './clock.ts';

/** The number of attempts and the delay between them. */
export interface RetryOptions {
  readonly attempts: number;
  /** The delay between attempts, in milliseconds. */
  readonly pause: number;
  readonly clock: Clock;
  /** Aborts delays: the next attempt starts at once. Default: none. */
  readonly signal?: AbortSignal;
  /** True if another attempt may succeed after this failure. Default: always. */
  readonly isTransient?: (thrown: unknown) => boolean;
}

/**
 * Retries work until it succeeds.
 *
 * @throws the error of the last attempt, or the first that is not transient.
 */
export async function retry<Value>(
  work: () => Promise<Value>,
  { attempts, pause, clock, signal, isTransient = () => true }: RetryOptions,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      if (attempt === attempts || !isTransient(thrown)) throw thrown;
      await clock.sleep(pause, signal);
    }
  }
}
