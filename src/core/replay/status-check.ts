import { isDeepStrictEqual } from 'node:util';
import type { Head } from '../history/commit.ts';
import { changesStatusRow, type StatusRow, statusRow } from '../status/status-row.ts';

/** How an instance's status row stands to its commits. */
export type RowVerdict = 'right' | 'missing' | 'wrong';

/**
 * Whether a status row is what some commit led to, and nothing on it has changed since.
 *
 * @param made the commit whose version it has; undefined where there is none.
 */
export function isCorrectRow(row: StatusRow, made: Head | undefined, newest: Head): boolean {
  return (
    made !== undefined &&
    isDeepStrictEqual(statusRow(made, row.parked), row) &&
    !changesStatusRow(made, newest)
  );
}
