import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import type { StatusRow } from '../../core/status/status-row.ts';

/** A status row in storage, valid or not. */
export interface StoredRow {
  /** Undefined if the row has none. */
  readonly version: number | undefined;
  /** The content of the row; undefined if it is invalid or inconsistent with the attributes that lists query. */
  readonly row: StatusRow | undefined;
}

/** Access to status rows for comparing them with commits and repairing them. */
export interface StatusRows {
  /** Reads the row of an instance, strongly consistent; undefined if there is none. */
  read(instance: InstanceKey): Promise<StoredRow | undefined>;
  /**
   * Replaces the row of an instance, and its entries in the key index, according to its latest commit. The
   * number of parked events is kept.
   *
   * @param seen the row to replace: `conflict` if it changed since it was read.
   */
  rewrite(newest: Head, seen: StoredRow | undefined): Promise<'written' | 'conflict'>;
}
