import { formatDuration } from '../time/duration.ts';

const second = 1_000;
const minute = 60_000;

/**
 * Returns how late a milestone was reached, as an ISO 8601 duration of elapsed time; undefined if it was reached on
 * time or has no deadline. Times are RFC 3339 in UTC.
 */
export function latenessAt(expectedBy: string | undefined, at: string): string | undefined {
  const late = expectedBy === undefined ? 0 : Date.parse(at) - Date.parse(expectedBy);
  return late > 0 ? formatDuration(late) : undefined;
}

/**
 * Returns how late a milestone is if it has not been reached, as an ISO 8601 duration of elapsed time. The duration is
 * rounded down to the minute, and to the second in the first minute, so it rarely changes between two reads.
 *
 * @param since when the milestone became late, RFC 3339 in UTC.
 * @param now the current time, in milliseconds since 1970.
 */
export function latenessSince(since: string, now: number): string {
  const late = Math.max(0, now - Date.parse(since));
  const unit = late < minute ? second : minute;
  return formatDuration(Math.floor(late / unit) * unit);
}
