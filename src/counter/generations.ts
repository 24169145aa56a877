/*
 * A generation is a complete set of counters. A rebuild creates the next generation while the current generation is in
 * use.
 */

/** The period of a rebuild, in milliseconds since 1970. */
export interface RebuildPeriod {
  /** The start. The scan of the table begins later so that it includes all changes before the start. */
  readonly from: number;
  /** The end, which is later than the end of the scan. Undefined while the scan is running. */
  readonly until?: number;
}

export interface Generation {
  readonly number: number;
  /** The rebuild that created the generation; undefined for the first generation. */
  readonly rebuild?: RebuildPeriod;
}

/** The generations that the counter function updates. */
export interface Generations {
  /** The generation that readers use. */
  readonly current: Generation;
  /** The generation that a rebuild is creating. */
  readonly next?: Generation;
}

/**
 * The maximum difference between the functions' clocks and the times of changes, in milliseconds. The times are
 * approximate and rounded to seconds.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html
 */
export const clockTolerance = 5_000;

/** How long a rebuild can take, in milliseconds. A rebuild that takes longer starts over. */
export const maximumRebuildDuration = 7 * 24 * 60 * 60 * 1_000;
