import type { Clock } from '../../src/common/clock.ts';
import { Deadline } from '../../src/common/deadline.ts';
import type { InvocationTime } from '../../src/model-runtime/model-handler.ts';

const second = 1_000;

// The deployed timeouts of `lib/` and `lambdas/`, in milliseconds.
export const dispatcherTimeout = 15 * 60 * second;
export const publisherTimeout = 60 * second;
export const clockTimeout = 60 * second;
export const clockTimeToEnd = 10 * second;

/** Divides the time of a model's invocation in the same way as `lambdas/support/serve.ts`. */
export function answerTimeOf(clock: Clock, time: number): InvocationTime {
  const now = clock.now();
  const reserve = Math.min(second, 0.1 * time);
  return { until: now + 0.6 * time, answerBy: new Deadline(clock, now + time - reserve) };
}
