import type { MinuteCount } from '../core/status/event-rate.ts';
import type { StepDurations } from '../core/status/step-durations.ts';

/** What there was to see of models: for charts and expected times, about right and a little late. */
export interface ObservationStore {
  /** Counts events of a model, by the minutes in which they were applied or rejected. */
  addEventCounts(model: string, counts: readonly MinuteCount[]): Promise<void>;
  /** Adds how long steps took; `conflict` when another writer was first: nothing is added then. */
  addStepDurations(model: string, stepDurations: StepDurations): Promise<'added' | 'conflict'>;
  /**
   * The counts of the last hour, and perhaps of more, of each model.
   *
   * @param now milliseconds since 1970.
   */
  eventCounts(
    models: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, readonly MinuteCount[]>>;
  /** How long the steps of a model take, as far as is known. */
  stepDurations(model: string): Promise<StepDurations>;
}
