import { type Duration, parse } from 'tinyduration';
import { endOfTime, unixMilliseconds } from './timestamp.ts';

/**
 * Parses an ISO 8601 duration, such as `PT30S`, `PT48H`, `P7D`, or `P2W`. A day has 24 hours.
 *
 * @param duration an ISO 8601 duration in weeks, days, hours, minutes, and seconds.
 * @returns the duration, in milliseconds.
 * @throws RangeError for years and months, which have no fixed length, for negative durations, and for any other text.
 *
 * @example
 * durationMilliseconds('PT1M30S'); // 90000
 */
export function durationMilliseconds(duration: string): number {
  const parts = parseDuration(duration);
  if (parts.years || parts.months)
    throw new RangeError(`${duration}: years and months have no fixed length; use days`);
  if (parts.negative) throw new RangeError(`${duration} is negative; use a duration of at least 0`);
  const days = (parts.weeks ?? 0) * 7 + (parts.days ?? 0);
  const minutes = (days * 24 + (parts.hours ?? 0)) * 60 + (parts.minutes ?? 0);
  return Math.round((minutes * 60 + (parts.seconds ?? 0)) * 1000);
}

/**
 * Adds a duration to a time. The result is never later than the end of the year 9999.
 *
 * @param time an RFC 3339 time.
 * @param duration an ISO 8601 duration.
 * @returns the resulting time, RFC 3339 in UTC to the millisecond.
 * @throws RangeError for text that is not a time, and for durations that `durationMilliseconds` rejects.
 *
 * @example
 * after('2026-01-31T23:59:30Z', 'PT1M'); // '2026-02-01T00:00:30.000Z'
 */
export function after(time: string, duration: string): string {
  const moment = unixMilliseconds(time) + durationMilliseconds(duration);
  return new Date(Math.min(moment, endOfTime)).toISOString();
}

/**
 * Formats a span of time as an ISO 8601 duration in days, hours, minutes, and seconds; a day has 24 hours.
 *
 * @param milliseconds the length of the span, at least 0.
 * @returns the duration, such as `P1DT2H30M`; `PT0S` for 0.
 */
export function formatDuration(milliseconds: number): string {
  const days = Math.floor(milliseconds / 86_400_000);
  const hours = Math.floor(milliseconds / 3_600_000) % 24;
  const minutes = Math.floor(milliseconds / 60_000) % 60;
  const seconds = (milliseconds % 60_000) / 1000;
  const date = days > 0 ? `${days}D` : '';
  const time = [
    hours > 0 ? `${hours}H` : '',
    minutes > 0 ? `${minutes}M` : '',
    seconds > 0 || milliseconds === 0 ? `${seconds}S` : '',
  ].join('');
  return `P${date}${time && `T${time}`}`;
}

const part = (unit: string) => `(?:\\d+(?:[.,]\\d+)?${unit})?`;
const [dateParts, timeParts] = [
  ['Y', 'M', 'W', 'D'],
  ['H', 'M', 'S'],
].map((units) => units.map(part).join(''));
/** Matches text that consists only of a duration. The parser would also accept text around a duration. */
const whole = new RegExp(`^-?P(?!$)${dateParts}(?:T(?!$)${timeParts})?$`);

/**
 * Returns the parts of an ISO 8601 duration. Parts that the text does not contain are undefined.
 *
 * @throws RangeError if the text is not a duration.
 */
export function parseDuration(duration: string): Duration {
  if (whole.test(duration)) return parse(duration);
  throw new RangeError(
    `${JSON.stringify(duration)} is not an ISO 8601 duration, such as P2D or PT8H`,
  );
}
