/**
 * Schedules runs of the clock at exact times. Early, late, repeated, and missing runs are harmless: the clock also runs
 * every minute, and the due timer index determines which timers fire.
 */
export interface Wakeups {
  /**
   * Schedules a run for each of the given times, except times that are too far in the future. Resolves within a second
   * even if runs could not be scheduled, and never rejects.
   *
   * @param times in milliseconds since 1970.
   */
  schedule(times: readonly number[]): Promise<void>;
}
