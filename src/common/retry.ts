import type { Clock } from './clock.ts';

/** How often work is tried, and how it waits in between. */
export interface RetryOptions {
  readonly attempts: number;
  /** Milliseconds between two attempts. */
  readonly pause: number;
  readonly clock: Clock;
  /** Ends the pauses. Default: nothing does. */
  readonly signal?: AbortSignal;
  /** Whether another attempt may succeed after this failure. Default: after every failure. */
  readonly isTransient?: (thrown: unknown) => boolean;
}

/**
 * Tries work until it succeeds.
 *
 * @throws what the last attempt threw, or the first failure that is not transient.
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
