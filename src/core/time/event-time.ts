import { toIso } from './timestamp.ts';

/**
 * Returns the event time: the event's `time` or, if its producer's clock is ahead, the time of its commit. An event
 * with a future `time` therefore never sets a future time on an instance.
 *
 * @param time the event's `time`, RFC 3339 in UTC.
 * @param recordedAt the commit's `at`, RFC 3339 in UTC, to the millisecond.
 * @returns RFC 3339 in UTC, to the millisecond.
 */
export function eventTimeOf(time: string, recordedAt: string): string {
  // Convert other fractions of a second to milliseconds so that times can be compared as text.
  const happenedAt = time.length === recordedAt.length ? time : toIso(Date.parse(time));
  return earlier(happenedAt, recordedAt);
}

/** Returns the earlier of two times: RFC 3339 in UTC, to the millisecond. */
export const earlier = (one: string, other: string) => (one < other ? one : other);
