/**
 * Provides the current time and delays. All code uses this interface so that tests can replace the clock and do not
 * have to wait.
 */
export interface Clock {
  /** The current time, in milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds, or as soon as `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of the operating system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // `setTimeout` of `node:timers/promises` would create an error with a stack trace for each canceled sleep. Most
  // sleeps are time limits, which are usually canceled.
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
 * Returns the remaining part of a duration, in milliseconds; 0 if the duration has passed. Also returns 0 if the clock
 * was set back after the start; otherwise, the caller would wait until the clock had caught up.
 */
export function timeLeft(clock: Clock, startedAt: number, durationMs: number): number {
  const elapsed = clock.now() - startedAt;
  return elapsed < 0 ? 0 : Math.max(0, durationMs - elapsed);
}
