import { dayLength } from './opening-hours.ts';

/**
 * A cache of one total per year, so adding a long duration does not visit every day. Regular years, which have no
 * special dates and no offset changes, share a total if their dates fall on the same days of the week.
 */
export class YearTotals {
  readonly #totals = new Map<number, number>();
  readonly #firstRegularYear: number;
  readonly #compute: (year: number) => number;

  /**
   * @param firstRegularYear a year after all offset changes and special dates. From this year on, a year's total
   *   depends only on which days of the week its dates fall on.
   * @param compute computes a year's total.
   */
  constructor(firstRegularYear: number, compute: (year: number) => number) {
    this.#firstRegularYear = firstRegularYear;
    this.#compute = compute;
  }

  of(year: number): number {
    // The keys of kinds are negative, so they cannot collide with the keys of years.
    const key = year < this.#firstRegularYear ? year : -kindOf(year);
    const known = this.#totals.get(key);
    if (known !== undefined) return known;
    const total = this.#compute(year);
    this.#totals.set(key, total);
    return total;
  }
}

/**
 * Returns the kind of a year, from 1 to 14: the day of the week of January 1, combined with whether the year is a leap
 * year.
 */
function kindOf(year: number): number {
  const dayOfWeek = (((year + leapYears(year - 1)) % 7) + 7) % 7;
  return leapYears(year) > leapYears(year - 1) ? dayOfWeek + 8 : dayOfWeek + 1;
}

/** Returns the number of leap years from year 1 to the given year, inclusive. */
const leapYears = (year: number) =>
  Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);

const leapYearsBefore1970 = leapYears(1969);

/** Returns the start of a year in UTC, in milliseconds since 1970. */
export const yearStart = (year: number): number =>
  ((year - 1970) * 365 + leapYears(year - 1) - leapYearsBefore1970) * dayLength;

/** Returns a time's year in UTC. */
export const yearOf = (time: number): number => new Date(time).getUTCFullYear();
