import type { Locale } from './locale.ts';
import { allTexts } from './texts/all-texts.ts';

const dayLength = 86_400_000;

/**
 * Expresses times in words: "today", "tomorrow", and "yesterday" for near days, and dates for other days. Times are RFC
 * 3339.
 */
export class DateWords {
  readonly #locale: Locale;
  readonly #now: number;
  readonly #timeZone: string | undefined;

  /**
   * @param now milliseconds since 1970.
   * @param timeZone an IANA time zone. If given, the zone is shown with each time of day. Default: the browser's zone,
   *   which is not shown.
   */
  constructor(locale: Locale, now: number, timeZone?: string) {
    this.#locale = locale;
    this.#now = now;
    this.#timeZone = timeZone;
  }

  /** A moment: "today at 17:00". */
  at(time: string): string {
    return this.#texts.at(this.#day(time), this.#clock(time));
  }

  /** A deadline: "expected tomorrow by 17:00" or, if it has passed, "was expected on Friday, 27 November". */
  expected(time: string): string {
    const texts = this.#texts;
    const isPast = Date.parse(time) < this.#now;
    const distance = this.#distance(time);
    const day = this.#day(time);
    // The time of day matters only for a deadline today or tomorrow.
    if (distance === 0 || distance === 1)
      return isPast
        ? texts.wasExpectedBy(day, this.#clock(time))
        : texts.expectedBy(day, this.#clock(time));
    return isPast ? texts.wasExpected(day) : texts.expected(day);
  }

  /** An estimate: "probably tomorrow". */
  likely(time: string): string {
    return this.#texts.likely(this.#day(time));
  }

  /** The exact time, with the date and the time zone, for tooltips. */
  exact(time: string): string {
    return this.#format(time, { dateStyle: 'full', timeStyle: 'long' });
  }

  get #texts() {
    return allTexts[this.#locale.language];
  }

  #day(time: string): string {
    const distance = this.#distance(time);
    if (Math.abs(distance) <= 1)
      return new Intl.RelativeTimeFormat(this.#locale.tag, { numeric: 'auto' }).format(
        distance,
        'day',
      );
    const isThisYear = this.#date(Date.parse(time)).year === this.#date(this.#now).year;
    const date = this.#format(time, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      ...(!isThisYear && { year: 'numeric' }),
    });
    return this.#texts.onDate(date);
  }

  #clock(time: string): string {
    const clock = this.#texts.clock(this.#format(time, { timeStyle: 'short' }));
    return this.#timeZone === undefined ? clock : `${clock} (${this.#timeZone})`;
  }

  /** The number of days from today to a time: 1 for any time tomorrow. */
  #distance(time: string): number {
    return this.#date(Date.parse(time)).day - this.#date(this.#now).day;
  }

  /** The local date of a time: its year, and the number of days since 1970. */
  #date(time: number): { readonly year: number; readonly day: number } {
    const options = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: this.#timeZone });
    const [month, day, year] = format.format(time).split('/').map(Number) as [
      number,
      number,
      number,
    ];
    return { year, day: Date.UTC(year, month - 1, day) / dayLength };
  }

  #format(time: string, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.#locale.tag, {
      // Use the Gregorian calendar for all locales because customers in every country know it.
      calendar: 'gregory',
      ...options,
      timeZone: this.#timeZone,
    }).format(Date.parse(time));
  }
}
