import type { OpenSpan, OpenSpans } from './open-spans.ts';
import { YearTotals, yearOf, yearStart } from './year-totals.ts';

/** The last year that RFC 3339 can represent. */
const lastYear = 9999;

/** Adds and measures open time, in milliseconds. */
export class OpenTime {
  readonly #spans: OpenSpans;
  readonly #years: YearTotals;

  /**
   * @param firstRegularYear a year after all offset changes and special dates. From this year on, a year's open time
   *   depends only on which days of the week its dates fall on.
   */
  constructor(spans: OpenSpans, firstRegularYear: number) {
    this.#spans = spans;
    this.#years = new YearTotals(firstRegularYear, (year) =>
      total(spans.within(yearStart(year), yearStart(year + 1))),
    );
  }

  /** Returns the open time between two instants; 0 if `until` is not after `from`. */
  between(from: number, until: number): number {
    let sum = 0;
    for (let year = yearOf(from); year <= yearOf(until); year++) {
      const [start, end] = [yearStart(year), yearStart(year + 1)];
      const isWhole = from <= start && end <= until;
      sum += isWhole
        ? this.#years.of(year)
        : total(this.#spans.within(Math.max(start, from), Math.min(end, until)));
    }
    return sum;
  }

  /**
   * Returns the instant when `amount` of open time has passed since `from`; undefined if less open time remains before
   * the end of the year 9999.
   */
  add(from: number, amount: number): number | undefined {
    if (amount === 0) return from;
    let left = amount;
    for (let year = yearOf(from); year <= lastYear; year++) {
      const [start, end] = [yearStart(year), yearStart(year + 1)];
      const ofYear = from <= start ? this.#years.of(year) : Number.POSITIVE_INFINITY;
      if (ofYear < left) {
        left -= ofYear;
        continue;
      }
      for (const span of this.#spans.within(Math.max(start, from), end)) {
        const length = span.until - span.from;
        if (left <= length) return span.from + left;
        left -= length;
      }
    }
    return undefined;
  }

  /** Returns the first open instant at or after an instant; undefined if the calendar never opens again. */
  nextOpen(from: number): number | undefined {
    // The first millisecond of open time starts at this instant.
    const end = this.add(from, 1);
    return end === undefined ? undefined : end - 1;
  }
}

function total(spans: Iterable<OpenSpan>): number {
  let sum = 0;
  for (const { from, until } of spans) sum += until - from;
  return sum;
}
