import type { Clock } from '../../common/clock.ts';
import type { Pace } from '../../core/status/pace.ts';
import type { ObservationStore } from '../../stores/observation-store.ts';

/** How long a model's pace is used without reading it again, in milliseconds. */
const keptFor = 5_000;

/** Keeps the pace of models for a few seconds: it changes slowly, and many ask for it. */
export class PaceCache {
  readonly #store: ObservationStore;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { pace: Promise<Pace>; until: number }>();

  constructor(store: ObservationStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** How long the steps of a model take, as far as is known. */
  async of(model: string): Promise<Pace> {
    const now = this.#clock.now();
    const kept = this.#kept.get(model);
    if (kept && kept.until > now) return kept.pace;
    const pace = this.#store.pace(model);
    this.#kept.set(model, { pace, until: now + keptFor });
    try {
      return await pace;
    } catch (error) {
      this.#kept.delete(model);
      throw error;
    }
  }
}
