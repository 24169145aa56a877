import { isDeepStrictEqual } from 'node:util';
import type { Head } from '../history/commit.ts';
import { changesStatusRow, type StatusRow, statusRow } from '../status/status-row.ts';

/** The result of comparing an instance's status row with its commits. */
export type RowVerdict = 'right' | 'missing' | 'wrong';

/**
 * Returns true if a status row was derived from a commit and no later commit has changed the row's fields.
 *
 * @param commit the commit with the row's version; undefined if there is none.
 */
export function isCorrectRow(row: StatusRow, commit: Head | undefined, newest: Head): boolean {
  return (
    commit !== undefined &&
    isDeepStrictEqual(statusRow(commit, row.parked), row) &&
    !changesStatusRow(commit, newest)
  );
}
