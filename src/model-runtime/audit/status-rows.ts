import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import type { StatusRow } from '../../core/status/status-row.ts';

/** A stored status row, which may be invalid. */
export interface StoredRow {
  /** The version on the row; undefined if the row has none. */
  readonly version: number | undefined;
  /**
   * The content of the row; undefined if the content is invalid, or if lists would not find the row by this content.
   */
  readonly row: StatusRow | undefined;
}

/** The stored status rows, which audits compare with commits and rebuilds repair. */
export interface StatusRows {
  /** Reads an instance's row with strong consistency; returns undefined if there is none. */
  read(instance: InstanceKey): Promise<StoredRow | undefined>;
  /**
   * Replaces an instance's row with that of the latest commit, but keeps the number of parked events. Also adds missing
   * entries to the key index.
   *
   * @param seen the row to replace.
   * @returns `conflict` if the row's version has changed since `seen` was read.
   */
  rewrite(newest: Head, seen: StoredRow | undefined): Promise<'written' | 'conflict'>;
}
