import type { Clock } from '../../src/common/clock.ts';

/**
 * A `sleep` for clocks that stand still: a pause is over at once. A timer, which has a signal that
 * cancels it, never goes off, because no time passes.
 */
export const skipSleep: Clock['sleep'] = (_, signal) =>
  signal
    ? new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    : Promise.resolve();
