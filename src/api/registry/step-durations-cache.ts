import type { Clock } from '../../common/clock.ts';
import type { StepDurations } from '../../core/status/step-durations.ts';
import type { ObservationStore } from '../../stores/observation-store.ts';

/** The lifetime of cached step durations, in milliseconds. */
const cacheTtl = 5_000;

/** Caches the step durations of models for a few seconds, because they change slowly and many requests need them. */
export class StepDurationsCache {
  readonly #store: ObservationStore;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { stepDurations: Promise<StepDurations>; until: number }>();

  constructor(store: ObservationStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the step durations of a model, which are at most `cacheTtl` old. */
  async of(model: string): Promise<StepDurations> {
    const now = this.#clock.now();
    const kept = this.#kept.get(model);
    if (kept && kept.until > now) return kept.stepDurations;
    const stepDurations = this.#store.stepDurations(model);
    this.#kept.set(model, { stepDurations, until: now + cacheTtl });
    try {
      return await stepDurations;
    } catch (error) {
      this.#kept.delete(model);
      throw error;
    }
  }
}
