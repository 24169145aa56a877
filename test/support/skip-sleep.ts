import type { Clock } from '../../src/common/clock.ts';

/**
 * A `sleep` for clocks without passing time: a wait ends immediately. A timer, whose signal cancels it, never fires.
 */
export const skipSleep: Clock['sleep'] = (_, signal) =>
  signal
    ? new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    : Promise.resolve();
