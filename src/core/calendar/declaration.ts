import * as v from 'valibot';
import { didYouMean } from '../../common/closest-word.ts';
import { exactObject } from '../../common/exact-object.ts';
import { issueText } from '../../common/schema-issues.ts';
import { MilepostError } from '../errors.ts';
import { dayLength, intervalViolation, openingHours } from './opening-hours.ts';
import { dateInLeapYear, dateNumber } from './schedule.ts';
import { timeZone, timeZoneNames } from './zones/time-zone.ts';

/** The days of the week, starting with Sunday, like `Date.getUTCDay`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** A day of the week in a calendar's opening hours. */
export type Weekday = (typeof weekdays)[number];

/** A business calendar's declaration: its opening hours in one time zone. */
export interface CalendarDeclaration {
  /** The IANA time zone of all times in the declaration, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /**
   * The opening hours of each day of the week, such as `['09:00-12:00', '13:00-17:00']`. The end of an interval is
   * exclusive. An interval that ends before it starts, such as `22:00-06:00`, ends on the next date and belongs to the
   * date it starts on. `00:00-24:00` is a whole day. Default for each day: closed.
   */
  readonly hours: Readonly<Partial<Record<Weekday, readonly string[]>>>;
  /**
   * The holidays, on which no opening hours start unless `exceptions` lists the date. A holiday is a single date, such
   * as `2026-12-25`, or an annual date, such as `--12-25`. Default: none.
   */
  readonly holidays?: readonly string[] | undefined;
  /**
   * The opening hours on specific dates, such as `{ '2026-12-24': ['09:00-12:00'] }`. An exception replaces the opening
   * hours of the day of the week, even on a holiday. An empty list closes the date. Default: none.
   */
  readonly exceptions?: Readonly<Record<string, readonly string[]>> | undefined;
}

const zoneName = v.pipe(
  v.string(),
  v.check(
    (name) => timeZone(name) !== undefined,
    ({ input }) =>
      `must be an IANA time zone, such as Europe/Berlin; got ${JSON.stringify(input)}${didYouMean(input, timeZoneNames())}`,
  ),
);

const interval = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? intervalViolation(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);

/** The schema of one date's opening hours: intervals that neither overlap nor touch. */
const intervals = v.pipe(
  v.array(interval),
  v.rawCheck(({ dataset, addIssue }) => {
    // Skip invalid intervals, which already have an issue.
    const isValid = dataset.typed && dataset.issues === undefined;
    const sorted = isValid ? inOrder(dataset.value) : [];
    for (const [i, { text, opens }] of sorted.entries()) {
      const previous = sorted[i - 1];
      if (previous === undefined || opens > previous.closes) continue;
      const problem = opens < previous.closes ? 'overlap; separate them' : 'touch; join them';
      addIssue({ message: `${previous.text} and ${text} ${problem}` });
    }
  }),
);

const holiday = v.pipe(
  v.string(),
  v.check(
    (text) => dateInLeapYear(text) !== undefined,
    ({ input }) =>
      `must be an existing date, such as 2026-12-25, or an annual date, such as --12-25; got ${JSON.stringify(input)}`,
  ),
);

const exceptionDate = v.pipe(
  v.string(),
  v.check(
    (text) => dateNumber(text) !== undefined,
    ({ input }) => `must be an existing date, such as 2026-12-24; got ${JSON.stringify(input)}`,
  ),
);

const declaration = exactObject({
  timeZone: zoneName,
  hours: exactObject(
    Object.fromEntries(weekdays.map((weekday) => [weekday, v.optional(intervals)])),
  ),
  holidays: v.optional(v.array(holiday)),
  exceptions: v.optional(v.record(exceptionDate, intervals)),
});

/**
 * Validates a calendar's declaration and returns it.
 *
 * @throws MilepostError `bad-model`, which lists the mistakes. Contradictions are listed only if each value is valid by
 *   itself.
 */
export function checkDeclaration(declared: CalendarDeclaration): CalendarDeclaration {
  const parsed = v.safeParse(declaration, declared);
  const wrong = parsed.success
    ? conflicts(declared)
    : parsed.issues.map((issue) => issueText(issue));
  if (wrong.length === 0) return declared;
  throw new MilepostError('bad-model', `calendar: ${wrong.join('; ')}`);
}

function conflicts({ hours, holidays = [], exceptions = {} }: CalendarDeclaration): string[] {
  const wrong: string[] = [];
  for (const [i, weekday] of weekdays.entries()) {
    const next = weekdays[(i + 1) % 7]!;
    const last = inOrder(hours[weekday] ?? []).at(-1);
    const first = inOrder(hours[next] ?? [])[0];
    if (last && first && last.closes > first.opens + dayLength)
      wrong.push(
        `hours: ${last.text} on ${weekday} overlaps ${first.text} on ${next}; separate them`,
      );
  }
  const annual = new Set(holidays.filter((holiday) => holiday.startsWith('--')));
  const opensWeekly = Object.values(hours).some((day) => day.length > 0) && annual.size < 366;
  const opensOnce = Object.values(exceptions).some((day) => day.length > 0);
  if (!opensWeekly && !opensOnce)
    wrong.push('it never opens; add an interval to at least one day of `hours`');
  return wrong;
}

const inOrder = (intervals: readonly string[]) =>
  intervals.map((text) => ({ text, ...openingHours(text) })).toSorted((a, b) => a.opens - b.opens);
