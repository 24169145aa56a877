import type { InvocationOutcome } from './execution-environment.ts';

/**
 * The activity of a function since it was first defined. All values are sums, except the peak memory and the number of
 * live environments.
 */
export interface FunctionStatistics {
  readonly invocations: number;
  /** The number of invocations that ended with a function error. */
  readonly errors: number;
  readonly throttles: number;
  readonly coldStarts: number;
  /** The total duration of the invocations, in milliseconds, without initialization. */
  readonly durationMs: number;
  readonly initDurationMs: number;
  /**
   * The CPU time of the processes, in milliseconds, including initialization. The time after a process's latest report
   * is not included. Programs that use the Runtime API report no CPU time.
   */
  readonly cpuMs: number;
  /** The highest peak memory of any environment's process, in bytes. */
  readonly peakMemoryBytes: number;
  /** The number of asynchronous events that were dropped after the last attempt. */
  readonly asyncEventsDropped: number;
  /** The number of live environments. */
  readonly environments: number;
}

/** The values of `FunctionStatistics` except `environments`, as mutable counters. */
type Counters = { -readonly [Name in Exclude<keyof FunctionStatistics, 'environments'>]: number };

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
  /** The CPU time of each environment's process as of its latest report, in microseconds. */
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
