import type { Calendar } from '../calendar/calendar.ts';
import { after } from '../time/duration.ts';
import { toIso } from '../time/timestamp.ts';

/** The time that counts toward a deadline: the open time of a calendar or, without a calendar, elapsed time. */
export interface CountedTime {
  /** Adds an ISO 8601 duration to a time. Returns an RFC 3339 time in UTC, with millisecond precision. */
  add(time: string, duration: string): string;
  /** Returns the time that counts between two times, in milliseconds; 0 if `until` is not after `from`. */
  between(from: string, until: string): number;
}

/**
 * Returns functions that count the open time of a calendar or, without a calendar, elapsed time with days of 24 hours.
 */
export function countedTimeOf(calendar: Calendar | undefined): CountedTime {
  if (!calendar) return elapsedTime;
  const known = ofCalendar.get(calendar) ?? {
    add: memoized((time, duration) => toIso(Date.parse(calendar.add(time, duration)))),
    between: memoized((from, until) => calendar.between(from, until)),
  };
  ofCalendar.set(calendar, known);
  return known;
}

const ofCalendar = new WeakMap<Calendar, CountedTime>();

/** The maximum number of cached results per function, which is enough for a few instances with many pauses. */
const maximumRemembered = 2_000;

/**
 * Memoizes a pure function. An instance's deadlines are computed several times for each event, mostly with the same
 * arguments. Without a cache, each computation would search the days of the calendar again.
 */
function memoized<Result>(
  compute: (first: string, second: string) => Result,
): (first: string, second: string) => Result {
  const results = new Map<string, Result>();
  return (first, second) => {
    const key = `${first} ${second}`;
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(first, second);
    if (results.size >= maximumRemembered) results.clear();
    results.set(key, result);
    return result;
  };
}

const elapsedTime: CountedTime = {
  add: after,
  between: (from, until) => Math.max(0, Date.parse(until) - Date.parse(from)),
};
