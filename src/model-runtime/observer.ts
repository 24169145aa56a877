import type { Clock } from '../common/clock.ts';
import { minuteOf } from '../core/status/event-rate.ts';
import { StepDurations } from '../core/status/step-durations.ts';
import type { ObservationStore } from '../stores/observation-store.ts';
import type { Observation } from './instance-work.ts';

/** How long, in milliseconds, what was seen is gathered before it is written. */
const flushIntervalMs = 5_000;

/** What an observer needs around it. */
export interface ObserverDependencies {
  readonly store: ObservationStore;
  readonly clock: Clock;
  readonly logError: (error: unknown) => void;
}

/**
 * Gathers what there is to see of a model's commits, for charts and expected times: how many events a
 * minute, and how long the steps of its instances took. It is written now and then and not with each
 * event, so that it costs next to nothing; what a process has not written when it ends is lost.
 */
export class Observer {
  readonly #model: string;
  readonly #environment: ObserverDependencies;
  #events = new Map<string, number>();
  #stepDurations = new StepDurations();
  #nextAt = 0;
  #writing: Promise<void> | undefined;
  #isAwaited = false;

  constructor(model: string, environment: ObserverDependencies) {
    this.#model = model;
    this.#environment = environment;
  }

  /** Takes note of commits, and writes what was gathered if it is time to. */
  async record(observations: readonly Observation[]): Promise<void> {
    for (const { at, events, steps } of observations) {
      const minute = minuteOf(at);
      this.#events.set(minute, (this.#events.get(minute) ?? 0) + events);
      this.#stepDurations.add(steps);
    }
    await this.#writeInTime();
  }

  async #writeInTime(): Promise<void> {
    if (this.#events.size === 0 && this.#stepDurations.isEmpty) return;
    const { clock } = this.#environment;
    const left = this.#nextAt - clock.now();
    if (left <= 0) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
      return this.#writing;
    }
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    // Where a process goes on between invocations, as it does on one machine.
    void clock.sleep(left).then(() => {
      this.#isAwaited = false;
      return this.#writeInTime();
    });
  }

  async #write(): Promise<void> {
    const { store, clock, logError } = this.#environment;
    this.#nextAt = clock.now() + flushIntervalMs;
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
      // Nobody waits for it: events are applied without.
      logError(error);
      return;
    }
    // Another process was first: with the next ones, then.
    this.#stepDurations.merge(stepDurations);
  }
}
