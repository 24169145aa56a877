import type { MinuteCount } from '../core/status/event-rate.ts';
import type { StepDurations } from '../core/status/step-durations.ts';

/** Stores statistics about models for charts and estimates. The statistics are approximate and delayed. */
export interface ObservationStore {
  /** Adds a model's event counts, by the minute in which the events were applied or rejected. */
  addEventCounts(model: string, counts: readonly MinuteCount[]): Promise<void>;
  /**
   * Adds step durations. If another writer adds step durations at the same time, adds nothing and returns `conflict`.
   */
  addStepDurations(model: string, stepDurations: StepDurations): Promise<'added' | 'conflict'>;
  /**
   * Returns each model's event counts for at least the last hour.
   *
   * @param now the current time, in milliseconds since 1970.
   */
  eventCounts(
    models: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, readonly MinuteCount[]>>;
  /** Returns the step durations that have been recorded for a model. */
  stepDurations(model: string): Promise<StepDurations>;
}
