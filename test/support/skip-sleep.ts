import type { Clock } from '../../src/common/clock.ts';

/**
 * A `sleep` for clocks that stand still. A wait without a signal ends immediately. A timer, which has a signal,
 * never fires.
 */
export const skipSleep: Clock['sleep'] = (_, signal) =>
  signal
    ? new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    : Promise.resolve();
