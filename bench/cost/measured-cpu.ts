import type { CpuPerEvent } from './lambda-time.ts';
import type { Order } from './work.ts';

/**
 * What bench/cpu measured, for what is worked out without measuring it anew. The time of Lambdas is
 * a few cents of a million events either way.
 */
export const measuredCpu: Readonly<Record<Order, CpuPerEvent>> = {
  A: { dispatcher: 0.03, model: 1.5 },
  B: { dispatcher: 0.03, model: 0.4 },
  C: { dispatcher: 0.03, model: 0.08 },
};
