import { parseDuration } from '../time/duration.ts';

/** A duration in working days and open time. The working days are added first. */
export interface WorkingDuration {
  /** The number of working days. */
  readonly days: number;
  /** The open time to add after the working days, in milliseconds. */
  readonly openTime: number;
}

/**
 * Parses an ISO 8601 duration of working days, hours, minutes, and seconds.
 *
 * @throws RangeError for weeks, months, years, fractional days, negative durations, and any other text.
 */
export function workingDuration(duration: string): WorkingDuration {
  const {
    years,
    months,
    weeks,
    days = 0,
    hours = 0,
    minutes = 0,
    seconds = 0,
    negative,
  } = parseDuration(duration);
  if (years || months || weeks)
    throw new RangeError(
      `${duration}: a calendar cannot count years, months, or weeks; use working days, such as P5D`,
    );
  if (!Number.isInteger(days))
    throw new RangeError(`${duration}: working days must be whole; use hours for part of a day`);
  if (negative) throw new RangeError(`${duration} is negative; use a duration of at least 0`);
  return { days, openTime: Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000) };
}
