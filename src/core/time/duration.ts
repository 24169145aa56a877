import { parse } from 'tinyduration';

/** The last moment that RFC 3339 has words for, in milliseconds since 1970. */
const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The length of an ISO 8601 duration (`PT30S`, `PT48H`, `P7D`, `P2W`) in
 * milliseconds; a day has 24 hours.
 *
 * @param duration an ISO 8601 duration of weeks, days, hours, minutes and seconds.
 * @returns Milliseconds.
 * @throws RangeError for years and months, which have no length of their own,
 *   for a negative one, and for what is no duration.
 *
 * @example
 * durationMilliseconds('PT1M30S'); // 90000
 */
export function durationMilliseconds(duration: string): number {
  const parts = parsed(duration);
  if (parts.years || parts.months)
    throw new RangeError(`${duration}: years and months have no length of their own, use days`);
  if (parts.negative) throw new RangeError(`${duration} is negative`);
  const days = (parts.weeks ?? 0) * 7 + (parts.days ?? 0);
  const minutes = (days * 24 + (parts.hours ?? 0)) * 60 + (parts.minutes ?? 0);
  return Math.round((minutes * 60 + (parts.seconds ?? 0)) * 1000);
}

/**
 * The moment so long after another: RFC 3339 in UTC, to the millisecond, and
 * never past the year 9999.
 *
 * @param time RFC 3339.
 * @param duration ISO 8601.
 * @returns The moment: RFC 3339 in UTC.
 * @throws RangeError as `durationMilliseconds` does.
 *
 * @example
 * after('2026-01-31T23:59:30Z', 'PT1M'); // '2026-02-01T00:00:30.000Z'
 */
export function after(time: string, duration: string): string {
  const moment = Date.parse(time) + durationMilliseconds(duration);
  return new Date(Math.min(moment, endOfTime)).toISOString();
}

const part = (unit: string) => `(?:\\d+(?:[.,]\\d+)?${unit})?`;
const [dateParts, timeParts] = [
  ['Y', 'M', 'W', 'D'],
  ['H', 'M', 'S'],
].map((units) => units.map(part).join(''));
/** The whole of a text has to be one, where the parser takes one that stands anywhere in it. */
const whole = new RegExp(`^-?P(?!$)${dateParts}(?:T(?!$)${timeParts})?$`);

function parsed(duration: string) {
  if (whole.test(duration)) return parse(duration);
  throw new RangeError(`${JSON.stringify(duration)} is no ISO 8601 duration`);
}
