import { isDate } from '../time/timestamp.ts';
import { dayLength, type OpeningHours } from './opening-hours.ts';

/** The opening hours of every date. A date is given as the number of days since 1970-01-01. */
export interface Schedule {
  /** The opening hours of each day of the week, starting with Sunday. */
  readonly weekly: readonly (readonly OpeningHours[])[];
  /**
   * The opening hours of exceptions and single-date holidays, by date. These hours replace the weekly opening hours.
   */
  readonly special: ReadonlyMap<number, readonly OpeningHours[]>;
  /** The annual holidays, as month and day: 1225 is December 25. */
  readonly yearly: ReadonlySet<number>;
}

const closed: readonly OpeningHours[] = [];

/** Returns a date's opening hours, in order. */
export function hoursOn(
  { weekly, special, yearly }: Schedule,
  date: number,
): readonly OpeningHours[] {
  const other = special.get(date);
  if (other !== undefined) return other;
  const hours = weekly[dayOfWeek(date)]!;
  const isHoliday = hours.length > 0 && yearly.size > 0 && yearly.has(monthAndDay(date));
  return isHoliday ? closed : hours;
}

/** Returns the number of days from 1970-01-01 to a date, such as `2026-12-25`; undefined if the date does not exist. */
export const dateNumber = (text: string): number | undefined =>
  isDate(text) ? Date.parse(text) / dayLength : undefined;

/**
 * Returns the number of days from 1970-01-01 to a date; undefined if the date does not exist. The year of an annual
 * date, such as `--12-25`, is the leap year 2000.
 */
export const dateInLeapYear = (text: string): number | undefined =>
  dateNumber(text.replace(/^--/, '2000-'));

/** Returns the date of a local time, as the number of days since 1970-01-01. */
export const dateAt = (local: number): number => Math.floor(local / dayLength);

// Day 0, 1970-01-01, was a Thursday.
const dayOfWeek = (date: number) => (((date + 4) % 7) + 7) % 7;

/** Returns a date's month and day as a number: 1225 is December 25. */
export function monthAndDay(date: number): number {
  const midnight = new Date(date * dayLength);
  return (midnight.getUTCMonth() + 1) * 100 + midnight.getUTCDate();
}
