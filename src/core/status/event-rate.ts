import { toIso } from '../time/timestamp.ts';

const minute = 60_000;

/** The number of events applied or rejected in a minute. */
export interface MinuteCount {
  /** The start of the minute, RFC 3339 in UTC. */
  readonly minute: string;
  readonly events: number;
}

/** Returns the start of the minute that contains a time, RFC 3339 in UTC. */
export const minuteOf = (at: string) => `${at.slice(0, 16)}:00.000Z`;

/**
 * Returns the event counts of the most recent minutes, oldest first. The last count belongs to the current minute,
 * which is incomplete.
 *
 * @param counts the counts, in any order. Counts for the same minute are added together.
 * @param length the number of minutes.
 * @param now the current time, in milliseconds since 1970.
 */
export function lastMinutes(
  counts: readonly MinuteCount[],
  length: number,
  now: number,
): MinuteCount[] {
  const known = new Map<string, number>();
  for (const { minute: at, events } of counts) known.set(at, (known.get(at) ?? 0) + events);
  return Array.from({ length }, (_, index) => {
    const at = minuteOf(toIso(now - (length - 1 - index) * minute));
    return { minute: at, events: known.get(at) ?? 0 };
  });
}
