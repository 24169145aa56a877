import type { Order } from '../support/work.ts';
import type { CpuPerEvent } from './lambda-time.ts';

/**
 * What bench/cpu measured, for what is worked out without measuring it anew. The time of Lambdas is
 * a few cents of a million events either way.
 */
export const measuredCpu: Readonly<Record<Order, CpuPerEvent>> = {
  rounds: { dispatcher: 0.03, model: 0.21 },
  bursts: { dispatcher: 0.03, model: 0.14 },
  hot: { dispatcher: 0.03, model: 0.11 },
};
