import * as v from 'valibot';
import { exactObject } from '../../common/exact-object.ts';
import { messageOf } from '../../common/message-of.ts';
import type { Calendar } from '../calendar/calendar.ts';
import { isCalendar, type MilestoneDeadline } from './milestone-deadline.ts';
import { duration, pointer } from './schema-values.ts';

const calendar = v.custom<Calendar>(
  (value) => isObject(value) && isCalendar(value as unknown as Calendar),
  'must be a calendar; use defineCalendar',
);

const calendarByKey = v.objectWithRest({ key: v.string(), default: calendar }, calendar);

/** Returns the schema of a milestone's deadline, given the schema of the event types that a process can declare. */
export const deadlineSchema = (eventType: v.GenericSchema<string>) =>
  v.pipe(
    exactObject({
      within: v.optional(duration),
      due: v.optional(pointer),
      after: v.optional(v.string()),
      calendar: v.optional(
        v.lazy((value) => (isObject(value) && 'key' in value ? calendarByKey : calendar)),
      ),
      warnAt: v.optional(
        v.pipe(
          v.number(),
          v.check(
            (share) => share > 0 && share < 1,
            ({ received }) => `must be more than 0 and less than 1; got ${received}`,
          ),
        ),
      ),
      pausedWhile: v.optional(
        v.pipe(
          exactObject({ from: eventType, until: eventType }),
          v.check(({ from, until }) => from !== until, 'from and until must differ'),
        ),
      ),
      tiers: v.optional(v.objectWithRest({ key: v.string() }, duration)),
      grace: v.optional(duration),
    }),
    v.check(
      ({ within, due }) => within !== undefined || due !== undefined,
      'within or due is required',
    ),
    v.check(
      ({ within, tiers }) => tiers === undefined || within !== undefined,
      'tiers override within for some values, so they require within',
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const message of unsuitableDurations(dataset.value)) addIssue({ message });
    }),
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Returns the calendars that a deadline can use. */
function calendarsOf({ calendar }: MilestoneDeadline): Calendar[] {
  if (calendar === undefined) return [];
  if (isCalendar(calendar)) return [calendar];
  const { key: _, ...calendars } = calendar;
  return Object.values(calendars) as Calendar[];
}

/**
 * Returns why a calendar of the deadline cannot add a duration, such as a duration in weeks; undefined if all calendars
 * can.
 */
export function unsuitable(deadline: MilestoneDeadline, added: string): string | undefined {
  try {
    for (const each of calendarsOf(deadline)) each.add('2026-01-01T00:00:00.000Z', added);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function unsuitableDurations(deadline: MilestoneDeadline): string[] {
  const { within, tiers: { key: _, ...tiers } = { key: '' } } = deadline;
  const durations = [...(within === undefined ? [] : [within]), ...Object.values(tiers)];
  // Skip invalid durations, which already have an issue.
  const valid = durations.filter((each) => v.is(duration, each));
  return valid.flatMap((each) => unsuitable(deadline, each) ?? []);
}
