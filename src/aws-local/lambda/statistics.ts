import type { InvocationOutcome } from './execution-environment.ts';

/**
 * The activity of a function since it was defined. Values are sums, except the peak memory and the live environments.
 */
export interface FunctionStatistics {
  readonly invocations: number;
  /** Invocations that ended with a function error. */
  readonly errors: number;
  readonly throttles: number;
  readonly coldStarts: number;
  /** Excludes initialization. */
  readonly durationMs: number;
  readonly initDurationMs: number;
  /** CPU time of the processes, including initialization. The last use of a killed process is missing. */
  readonly cpuMs: number;
  /** The peak memory of a single environment's process. */
  readonly peakMemoryBytes: number;
  /** Asynchronous events that were dropped after the last attempt. */
  readonly asyncEventsDropped: number;
  /** The number of live environments. */
  readonly environments: number;
}

/** Mutable counters of the same values. */
type Counters = { -readonly [Name in Exclude<keyof FunctionStatistics, 'environments'>]: number };

/** Records the statistics of one function. */
export class StatisticsRecorder {
  readonly #sums: Counters = {
    invocations: 0,
    errors: 0,
    throttles: 0,
    coldStarts: 0,
    durationMs: 0,
    initDurationMs: 0,
    cpuMs: 0,
    peakMemoryBytes: 0,
    asyncEventsDropped: 0,
  };
  /** The CPU time of each environment's process at its latest report, in microseconds. */
  readonly #cpuBefore = new WeakMap<object, number>();

  invoked(environment: object, outcome: InvocationOutcome): void {
    const sums = this.#sums;
    const { cpuMicroseconds, memoryBytes } = outcome.resourceUsage;
    sums.invocations++;
    if (outcome.failed) sums.errors++;
    if (outcome.initDurationMs !== undefined) sums.coldStarts++;
    sums.durationMs += outcome.durationMs;
    sums.initDurationMs += outcome.initDurationMs ?? 0;
    sums.cpuMs += (cpuMicroseconds - (this.#cpuBefore.get(environment) ?? 0)) / 1000;
    sums.peakMemoryBytes = Math.max(sums.peakMemoryBytes, memoryBytes);
    this.#cpuBefore.set(environment, cpuMicroseconds);
  }

  throttled(): void {
    this.#sums.throttles++;
  }

  asyncEventDropped(): void {
    this.#sums.asyncEventsDropped++;
  }

  snapshot(environments: number): FunctionStatistics {
    return { ...this.#sums, environments };
  }
}
