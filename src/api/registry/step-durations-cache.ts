import type { Clock } from '../../common/clock.ts';
import type { StepDurations } from '../../core/status/step-durations.ts';
import type { ObservationStore } from '../../stores/observation-store.ts';

/** How long a model's pace is used without reading it again, in milliseconds. */
const cacheTtl = 5_000;

/** Keeps the pace of models for a few seconds: it changes slowly, and many ask for it. */
export class StepDurationsCache {
  readonly #store: ObservationStore;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { pace: Promise<StepDurations>; until: number }>();

  constructor(store: ObservationStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** How long the steps of a model take, as far as is known. */
  async of(model: string): Promise<StepDurations> {
    const now = this.#clock.now();
    const kept = this.#kept.get(model);
    if (kept && kept.until > now) return kept.pace;
    const pace = this.#store.pace(model);
    this.#kept.set(model, { pace, until: now + cacheTtl });
    try {
      return await pace;
    } catch (error) {
      this.#kept.delete(model);
      throw error;
    }
  }
}
