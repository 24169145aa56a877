import type { OpenSpans } from './open-spans.ts';
import type { OpenTime } from './open-time.ts';
import { dayLength } from './opening-hours.ts';
import { dateAt } from './schedule.ts';
import { YearTotals, yearOf, yearStart } from './year-totals.ts';
import type { TimeZone } from './zones/time-zone.ts';

/** The last date that RFC 3339 can represent, 9999-12-31, as the number of days since 1970-01-01. */
const lastDate = yearStart(10_000) / dayLength - 1;

/** Adds working days to a time. A working day is a date on which opening hours start. */
export class WorkingDays {
  readonly #zone: TimeZone;
  readonly #spans: OpenSpans;
  readonly #time: OpenTime;
  readonly #years: YearTotals;

  /**
   * @param firstRegularYear a year after all offset changes and special dates. From this year on, the number of working
   *   days in a year depends only on which days of the week its dates fall on.
   */
  constructor(zone: TimeZone, spans: OpenSpans, time: OpenTime, firstRegularYear: number) {
    this.#zone = zone;
    this.#spans = spans;
    this.#time = time;
    this.#years = new YearTotals(firstRegularYear, (year) => {
      let count = 0;
      for (let date = firstOf(year); date < firstOf(year + 1); date++)
        if (this.#isWorkingDay(date)) count++;
      return count;
    });
  }

  /**
   * Returns the same local time of day after the given number of working days. Counting starts on the day after `from`
   * or, if the calendar is closed at `from`, on the day after the next opening. A result before opening or in a break
   * moves to the next opening of that working day, and a result after the last closing moves back to that closing.
   *
   * @param count the number of working days, at least 1.
   * @returns the resulting time; undefined if too few working days remain before the end of the year 9999.
   */
  add(from: number, count: number): number | undefined {
    const start = this.#time.nextOpen(from);
    if (start === undefined) return undefined;
    const date = this.#nth(dateAt(this.#zone.toLocal(start)) + 1, count);
    if (date === undefined) return undefined;
    const local = this.#zone.toLocal(from);
    const result = this.#zone.toInstant(date * dayLength + (local - dateAt(local) * dayLength));
    if (this.#spans.isOpen(result)) return result;
    const hours = [...this.#spans.onDate(date)];
    return hours.find((span) => span.from > result)?.from ?? hours.at(-1)!.until;
  }

  /**
   * Returns the date of a working day by its number, where the first working day on or after `from` is number 1;
   * undefined if too few working days remain.
   */
  #nth(from: number, count: number): number | undefined {
    let left = count;
    for (let date = from; date <= lastDate; ) {
      const year = yearOf(date * dayLength);
      if (date === firstOf(year) && this.#years.of(year) < left) {
        left -= this.#years.of(year);
        date = firstOf(year + 1);
      } else {
        if (this.#isWorkingDay(date) && --left === 0) return date;
        date++;
      }
    }
    return undefined;
  }

  #isWorkingDay(date: number): boolean {
    return !this.#spans.onDate(date).next().done;
  }
}

/** Returns January 1 of a year, as the number of days since 1970-01-01. */
const firstOf = (year: number) => yearStart(year) / dayLength;
