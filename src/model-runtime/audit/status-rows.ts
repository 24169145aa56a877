import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import type { StatusRow } from '../../core/status/status-row.ts';

/** A status row as it is stored, whatever it says. */
export interface StoredRow {
  /** Undefined where it has none. */
  readonly version: number | undefined;
  /** What it says; undefined where that is nonsense, or lists would not find it by that. */
  readonly row: StatusRow | undefined;
}

/** Status rows, to be held against the commits and written anew. */
export interface StatusRows {
  /** The row of an instance, strongly consistent; undefined where there is none. */
  read(instance: InstanceKey): Promise<StoredRow | undefined>;
  /**
   * Writes the row of an instance, and what finds it by its keys, from its newest commit, whatever the
   * row says. How many events are parked stays.
   *
   * @param seen the row that is written over: `conflict` when somebody wrote it since it was read.
   */
  rewrite(newest: Head, seen: StoredRow | undefined): Promise<'written' | 'conflict'>;
}
