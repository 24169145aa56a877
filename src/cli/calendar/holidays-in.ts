import ICAL from 'ical.js';
import { dateNumber } from '../../core/calendar/schedule.ts';

/** A date with at least one all-day event in an iCalendar file. */
export interface Holiday {
  /** The date, such as `2026-12-25`. */
  readonly date: string;
  /** The names of the events on this date, joined by commas. */
  readonly name: string;
}

/** The all-day events of an iCalendar file. */
export interface Holidays {
  /** The dates in ascending order, without duplicates. */
  readonly holidays: readonly Holiday[];
  /** The names of events that are skipped because they have a time of day. */
  readonly skipped: readonly string[];
}

/** The maximum length of an event, in days. */
const maximumDays = 366;

/**
 * Reads the dates of the all-day events in an iCalendar file, including repetitions. As in RFC 5545, an event's end
 * date is exclusive. Canceled events are omitted.
 *
 * @param text the content of the file.
 * @param until the last year for which repetitions are included.
 * @throws Error if the text is not an iCalendar file, an event has no start or a date that does not exist, lasts
 *   longer than a year, or has a repetition that is not supported.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5545
 */
export function holidaysIn(text: string, until: number): Holidays {
  const content = text.replace(/^\uFEFF/, '');
  // If the text starts differently, the parser throws an internal TypeError.
  if (!/^\s*BEGIN:/i.test(content))
    throw new Error('it is not an iCalendar file, which starts with BEGIN:VCALENDAR');
  const parsed: unknown[] = ICAL.parse(content);
  const calendars = typeof parsed[0] === 'string' ? [parsed] : (parsed as unknown[][]);
  const events = calendars.flatMap((calendar) =>
    new ICAL.Component(calendar).getAllSubcomponents('vevent'),
  );
  const namesOn = new Map<string, Set<string>>();
  const skipped: string[] = [];
  for (const component of events) {
    checkEvent(component);
    const event = eventOf(component, events);
    if (event.isRecurrenceException()) continue;
    if (!event.startDate.isDate) {
      skipped.push(nameOf(event));
      continue;
    }
    for (const { item, startDate, endDate } of occurrences(event, until)) {
      checkLength(item, startDate, endDate);
      for (const date of datesOf(startDate, endDate)) {
        if (isCancelled(item)) continue;
        namesOn.set(date, (namesOn.get(date) ?? new Set()).add(nameOf(item)));
      }
    }
  }
  const holidays = [...namesOn].map(([date, names]) => ({ date, name: [...names].join(', ') }));
  return { holidays: holidays.toSorted((a, b) => a.date.localeCompare(b.date)), skipped };
}

/**
 * Rejects events that the parser accepts but converts incorrectly: events without a start, with dates that do not
 * exist, or with repetitions in numbered weeks.
 */
function checkEvent(component: ICAL.Component): void {
  const name = JSON.stringify(nameOf(new ICAL.Event(component)));
  if (!component.hasProperty('dtstart')) throw new Error(`the event ${name} has no DTSTART`);
  for (const property of component.getAllProperties()) {
    const [key, , type, ...values] = property.toJSON() as readonly string[];
    const wrong = values.find((value) => type === 'date' && dateNumber(value) === undefined);
    if (wrong !== undefined)
      throw new Error(`${key!.toUpperCase()} of the event ${name} is not a date: ${wrong}`);
  }
  if (ruleOf(component)?.parts['BYWEEKNO'] !== undefined)
    throw new Error(
      `the event ${name} repeats in numbered weeks (BYWEEKNO), which is not supported; list its dates`,
    );
}

/**
 * Rejects an event that lasts longer than a year. For example, an event without a known end, which some programs end in
 * 9999, would close the calendar forever.
 */
function checkLength(event: ICAL.Event, start: ICAL.Time, end: ICAL.Time): void {
  const days = (end.toUnixTime() - start.toUnixTime()) / 86_400;
  if (days > maximumDays)
    throw new Error(
      `the event ${JSON.stringify(nameOf(event))} must last at most ${maximumDays} days; got ${days} days from ${start.toString()}; correct its DTEND or DURATION`,
    );
}

const ruleOf = (component: ICAL.Component) =>
  component.getFirstPropertyValue('rrule') as ICAL.Recur | null;

/**
 * Returns an event together with the changes to individual repetitions, which are separate components with the same
 * UID.
 */
function eventOf(component: ICAL.Component, all: readonly ICAL.Component[]): ICAL.Event {
  const uid = component.getFirstPropertyValue('uid');
  const exceptions = all.filter(
    (other) => other.hasProperty('recurrence-id') && other.getFirstPropertyValue('uid') === uid,
  );
  const isException = component.hasProperty('recurrence-id');
  return new ICAL.Event(component, { exceptions: isException ? [] : exceptions });
}

/** Returns the repetitions of an event until the end of a year, or the event itself if it does not repeat. */
function* occurrences(event: ICAL.Event, until: number) {
  const { startDate, endDate } = event;
  if (!event.isRecurring()) {
    yield { item: event, startDate, endDate };
    return;
  }
  const rule = ruleOf(event.component);
  if (rule && !/^(?:DAI|WEEK|MONTH|YEAR)LY$/.test(rule.freq))
    throw new Error(
      `the event ${JSON.stringify(nameOf(event))} lasts all day, so its RRULE must have the FREQ DAILY, WEEKLY, MONTHLY, or YEARLY; got ${rule.freq ?? 'none'}`,
    );
  const iterator = event.iterator();
  for (let next = iterator.next(); next && next.year <= until; next = iterator.next())
    if (!isMoved(event, next)) yield event.getOccurrenceDetails(next);
}

/**
 * Returns true if the parser moved a repetition to the next month because the original month does not have that day, as
 * with February 29 in most years.
 */
function isMoved({ component, startDate }: ICAL.Event, { day }: ICAL.Time): boolean {
  const { freq, parts = {} } = ruleOf(component) ?? {};
  if (freq !== 'YEARLY' || 'BYDAY' in parts || 'BYYEARDAY' in parts) return false;
  const days = (parts['BYMONTHDAY'] ?? [startDate.day]) as readonly number[];
  return days.every((each) => each > 28 && each !== day);
}

/** Returns the dates from `start` up to, but not including, `end`. Always includes `start`. */
function* datesOf(start: ICAL.Time, end: ICAL.Time): Generator<string> {
  const date = start.clone();
  do {
    yield date.toString().slice(0, 10);
    date.day += 1;
  } while (date.compareDateOnlyTz(end, ICAL.Timezone.localTimezone) < 0);
}

const isCancelled = (event: ICAL.Event) =>
  event.component.getFirstPropertyValue('status') === 'CANCELLED';

/** Returns the name of an event on one line. */
const nameOf = ({ summary }: ICAL.Event) => (summary || 'unnamed').replaceAll(/\s+/g, ' ');
