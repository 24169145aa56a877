import { endOfTime, requiredTime, toIso, toUtc } from '../time/timestamp.ts';
import type { Calendar, OpenInterval } from './calendar.ts';
import { type CalendarDeclaration, checkDeclaration, weekdays } from './declaration.ts';
import { type OpenSpan, OpenSpans } from './open-spans.ts';
import { OpenTime } from './open-time.ts';
import { dayLength, type OpeningHours, openingHoursOf } from './opening-hours.ts';
import { dateInLeapYear, dateNumber, monthAndDay, type Schedule } from './schedule.ts';
import { WorkingDays } from './working-days.ts';
import { workingDuration } from './working-duration.ts';
import { yearOf } from './year-totals.ts';
import { timeZone } from './zones/time-zone.ts';

/**
 * Defines the opening hours that count toward a deadline. The calendar uses the time zone data that ships with
 * Milepost, so its results do not depend on the version of Node.js.
 *
 * @param declared the time zone, opening hours, holidays, and exceptions.
 * @returns the calendar, which deadlines and models can use.
 * @throws MilepostError `bad-model` if the declaration is invalid; the message lists the mistakes.
 *
 * @example
 * const office = defineCalendar({
 *   timeZone: 'Europe/Berlin',
 *   hours: { mon: ['09:00-12:00', '13:00-17:00'], tue: ['09:00-17:00'], fri: ['09:00-15:00'] },
 *   holidays: ['2026-12-25', '--01-01'],
 *   exceptions: { '2026-12-24': ['09:00-12:00'] },
 * });
 * // Eight open hours from 09:00 on a Tuesday in Berlin end at 17:00.
 * office.add('2026-06-02T07:00:00Z', 'PT8H'); // '2026-06-02T15:00:00.000Z'
 */
export function defineCalendar(declared: CalendarDeclaration): Calendar {
  const { timeZone: name } = checkDeclaration(declared);
  const zone = timeZone(name)!;
  const schedule = scheduleOf(declared);
  // Opening hours that start on December 31 can extend into the next year in UTC, so that year is not regular either.
  const firstRegularYear =
    Math.max(
      yearOf(zone.lastChange),
      ...[...schedule.special.keys()].map((date) => yearOf(date * dayLength)),
    ) + 2;
  const spans = new OpenSpans(zone, schedule);
  const time = new OpenTime(spans, firstRegularYear);
  const days = new WorkingDays(zone, spans, time, firstRegularYear);
  return {
    timeZone: name,
    add(start, duration) {
      const { days: count, openTime } = workingDuration(duration);
      const day = count === 0 ? instant(start) : days.add(instant(start), count);
      const end = day === undefined ? undefined : time.add(day, openTime);
      return toIso(Math.min(end ?? endOfTime, endOfTime));
    },
    between: (from, until) => time.between(instant(from), instant(until)),
    openIntervals: (from, until) => intervals(spans.within(instant(from), instant(until))),
  };
}

function scheduleOf({ hours, holidays = [], exceptions = {} }: CalendarDeclaration): Schedule {
  const isYearly = (holiday: string) => holiday.startsWith('--');
  const once = holidays.filter((holiday) => !isYearly(holiday));
  const closed = once.map((date) => [dateNumber(date)!, []] as const);
  const changed = Object.entries(exceptions).map(
    ([date, intervals]) => [dateNumber(date)!, openingHoursOf(intervals)] as const,
  );
  return {
    weekly: weekdays.map((weekday) => openingHoursOf(hours[weekday] ?? [])),
    special: new Map<number, readonly OpeningHours[]>([...closed, ...changed]),
    yearly: new Set(holidays.filter(isYearly).map((day) => monthAndDay(dateInLeapYear(day)!))),
  };
}

/** Converts an RFC 3339 time to milliseconds since 1970. @throws RangeError if the text is not an RFC 3339 time. */
function instant(time: string): number {
  const utc = toUtc(time);
  if (utc === undefined)
    throw new RangeError(`a time must be ${requiredTime}; got ${JSON.stringify(time)}`);
  return Date.parse(utc);
}

/** Joins adjacent spans, such as consecutive whole days. */
function intervals(spans: Iterable<OpenSpan>): OpenInterval[] {
  const joined: { from: number; until: number }[] = [];
  for (const { from, until } of spans) {
    const last = joined.at(-1);
    if (last?.until === from) last.until = until;
    else joined.push({ from, until });
  }
  return joined.map(({ from, until }) => ({ from: toIso(from), until: toIso(until) }));
}
