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
  // `setTimeout` of `node:timers/promises` creates an error with a stack trace for each canceled sleep, and most sleeps
  // are time limits that are canceled.
  sleep(ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake, { once: true });
    });
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
