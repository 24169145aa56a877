import { setTimeout as timeout } from 'node:timers/promises';

/**
 * Provides the current time and delays. All code uses this interface, so that tests can replace it and need not wait.
 */
export interface Clock {
  /** The current time, in milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds, or as soon as `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await timeout(ms, undefined, { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

/**
 * Returns the part of a duration that is left, in milliseconds: 0 if it is over. Also 0 if the clock was set back since
 * the start, because the caller would otherwise wait for the length of the jump.
 */
export function timeLeft(clock: Clock, startedAt: number, durationMs: number): number {
  const elapsed = clock.now() - startedAt;
  return elapsed < 0 ? 0 : Math.max(0, durationMs - elapsed);
}
