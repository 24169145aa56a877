import type { Counter } from '../core/counters/counter.ts';

/**
 * The versions and the lateness that identify a state of a status row. A commit increases the version. A change to the
 * parked events or a repair of the row increases the queue version. Neither version ever decreases. An instance can
 * become late without a change to these versions.
 */
export interface RowRevision {
  readonly version: number;
  readonly queueVersion: number;
  /** True if the row states that the instance is late. */
  readonly isLate: boolean;
}

/** A state of a status row: its revision and the counters that include the instance. */
export interface RowState extends RowRevision {
  readonly counters: readonly Counter[];
}

/** A change to a status row, from the instances table's change stream. */
export interface RowChange {
  /** The partition key of the instance. */
  readonly instance: string;
  /** The position of the change in its shard. */
  readonly sequence: string;
  /** The approximate time of the change, rounded to seconds, in milliseconds since 1970. */
  readonly at: number;
  /** The state before the change; undefined if the row is new. */
  readonly before: RowState | undefined;
  /** The state after the change; undefined if the row was deleted. */
  readonly after: RowState | undefined;
}

/** Returns true if `a` is a later state of a row than `b`. */
export const isLaterRevision = (a: RowRevision, b: RowRevision): boolean =>
  a.version > b.version ||
  a.queueVersion > b.queueVersion ||
  (a.version === b.version && a.queueVersion === b.queueVersion && a.isLate && !b.isLate);
