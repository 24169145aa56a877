import { toIso } from './timestamp.ts';

/**
 * Returns the event time of an event: its `time` or, if the clock of its producer is ahead, the time of the commit. An
 * event with a future `time` therefore never sets a future time on an instance.
 *
 * @param time the `time` of the event, RFC 3339 in UTC.
 * @param recordedAt the `at` of the commit, RFC 3339 in UTC, to the millisecond.
 * @returns RFC 3339 in UTC, to the millisecond.
 */
export function eventTimeOf(time: string, recordedAt: string): string {
  // Convert other fractions of a second to milliseconds, so times can be compared as text.
  const happenedAt = time.length === recordedAt.length ? time : toIso(Date.parse(time));
  return earlier(happenedAt, recordedAt);
}

/** Returns the earlier of two times: RFC 3339 in UTC, to the millisecond. */
export const earlier = (one: string, other: string) => (one < other ? one : other);
