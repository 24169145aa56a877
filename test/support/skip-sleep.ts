import type { Clock } from '../../src/common/clock.ts';

/**
 * A `sleep` for manual clocks: a pause ends immediately. A timer, which has a signal that
 * cancels it, never fires, because no time passes.
 */
export const skipSleep: Clock['sleep'] = (_, signal) =>
  signal
    ? new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    : Promise.resolve();
