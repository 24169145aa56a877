import { type Clock, timeLeft } from '../common/clock.ts';
import { Deadline } from '../common/deadline.ts';
import { minuteOf } from '../core/status/event-rate.ts';
import { StepDurations } from '../core/status/step-durations.ts';
import type { ObservationStore } from '../stores/observation-store.ts';
import type { Observation } from './instance-work.ts';

/** The minimum interval between writes, in milliseconds. */
const flushIntervalMs = 5_000;
/** How long `record` waits for a write, in milliseconds. A slower write continues in the background. */
const maximumWaitMs = 500;

/** The dependencies of an observer. `logError` receives the errors of failed writes. */
export interface ObserverDependencies {
  readonly store: ObservationStore;
  readonly clock: Clock;
  readonly logError: (error: unknown) => void;
}

/**
 * Collects statistics about a model's commits for charts and estimates: the number of events in each minute and the
 * steps' durations. Statistics are written at intervals, not with each event, so the cost is negligible. Statistics
 * that have not been written when the process ends are lost.
 */
export class Observer {
  readonly #model: string;
  readonly #dependencies: ObserverDependencies;
  #events = new Map<string, number>();
  #stepDurations = new StepDurations();
  /** When the latest write started, in milliseconds since 1970. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;
  #isAwaited = false;

  constructor(model: string, dependencies: ObserverDependencies) {
    this.#model = model;
    this.#dependencies = dependencies;
  }

  /**
   * Adds statistics and writes the collected statistics if the interval has passed. Returns within half a second even
   * if the store does not respond, because statistics must not delay events.
   */
  async record(observations: readonly Observation[]): Promise<void> {
    for (const { at, events, steps } of observations) {
      const minute = minuteOf(at);
      this.#events.set(minute, (this.#events.get(minute) ?? 0) + events);
      this.#stepDurations.add(steps);
    }
    await Deadline.in(this.#dependencies.clock, maximumWaitMs).race(this.#writeInTime());
  }

  async #writeInTime(): Promise<void> {
    if (this.#events.size === 0 && this.#stepDurations.isEmpty) return;
    const { clock } = this.#dependencies;
    const left = timeLeft(clock, this.#writtenAt, flushIntervalMs);
    if (left === 0) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
      return this.#writing;
    }
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    // This timer matters only in a process that keeps running between invocations, such as the local service.
    void clock.sleep(left).then(() => {
      this.#isAwaited = false;
      return this.#writeInTime();
    });
  }

  async #write(): Promise<void> {
    const { store, clock, logError } = this.#dependencies;
    this.#writtenAt = clock.now();
    const counts = [...this.#events].map(([minute, events]) => ({ minute, events }));
    const stepDurations = this.#stepDurations;
    this.#events = new Map();
    this.#stepDurations = new StepDurations();
    try {
      await store.addEventCounts(this.#model, counts);
      if (
        stepDurations.isEmpty ||
        (await store.addStepDurations(this.#model, stepDurations)) === 'added'
      )
        return;
    } catch (error) {
      // A failed write of statistics must not fail the events.
      logError(error);
      return;
    }
    // Another process wrote at the same time, so include these durations in the next write.
    this.#stepDurations.merge(stepDurations);
  }
}
