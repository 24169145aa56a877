import type { InvocationOutcome } from './execution-environment.ts';

/** What a function has done since it was defined. Sums, but for the peak. */
export interface FunctionStatistics {
  readonly invocations: number;
  /** Invocations that ended as a function error. */
  readonly errors: number;
  readonly throttles: number;
  readonly coldStarts: number;
  /** Without initialisation. */
  readonly durationMs: number;
  readonly initDurationMs: number;
  /** CPU time of the processes, with initialisation; one that was killed had no last word. */
  readonly cpuMs: number;
  /** The most that one environment's process held. */
  readonly peakMemoryBytes: number;
  /** Asynchronous events given up after the last attempt. */
  readonly asyncEventsDropped: number;
  /** Alive at present. */
  readonly environments: number;
}

/** The same, while it is counted. */
type Counters = { -readonly [Name in Exclude<keyof FunctionStatistics, 'environments'>]: number };

/** Counts for one function. */
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
  /** What each environment's process had used before. */
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
