import type { MinuteCount } from '../core/status/event-rate.ts';
import type { StepDurations } from '../core/status/step-durations.ts';

/** Stores statistics of models for charts and estimates. They are approximate and delayed. */
export interface ObservationStore {
  /** Adds event counts of a model, by the minute in which the events were applied or rejected. */
  addEventCounts(model: string, counts: readonly MinuteCount[]): Promise<void>;
  /** Adds step durations; `conflict` if another writer was first, and then nothing is added. */
  addStepDurations(model: string, stepDurations: StepDurations): Promise<'added' | 'conflict'>;
  /**
   * The event counts of each model for at least the last hour.
   *
   * @param now milliseconds since 1970.
   */
  eventCounts(
    models: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, readonly MinuteCount[]>>;
  /** The step durations of a model that are known so far. */
  stepDurations(model: string): Promise<StepDurations>;
}
