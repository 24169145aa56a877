import type { Calendar } from '../calendar/calendar.ts';

/** A calendar for each value of a kept field: `{ key: 'site', default: office, berlin: berlinOffice }`. */
export interface CalendarByKey {
  /** The name of the field in `keep`. */
  readonly key: string;
  /** The calendar for instances whose field has no value, or a value for which no calendar is declared. */
  readonly default: Calendar;
  /** The calendars by field value. */
  readonly [value: string]: Calendar | string;
}

/** A milestone's deadline in a process. At least one of `within` and `due` is required. */
export interface MilestoneDeadline {
  /**
   * The time until the deadline: an ISO 8601 duration, such as `PT8H` or `P2D`. With a calendar, open time and working
   * days count; without a calendar, elapsed time counts, with days of 24 hours.
   */
  readonly within?: string | undefined;
  /**
   * A promised time in events' data, as a JSON Pointer such as `/data/promisedAt`. The latest event with a value
   * applies; null withdraws the promise. If `within` is also declared, a promised time replaces the deadline that
   * `within` would set.
   */
  readonly due?: string | undefined;
  /** The id of the milestone that starts the deadline. Default: the first event of the instance starts the deadline. */
  readonly after?: string | undefined;
  /**
   * The calendar whose open time counts, or a calendar for each value of a kept field. Default: elapsed time counts.
   */
  readonly calendar?: Calendar | CalendarByKey | undefined;
  /**
   * The share of the time from the start to the deadline after which the milestone is at risk: between 0 and 1.
   * Default: never at risk.
   */
  readonly warnAt?: number | undefined;
  /** The event types that pause and resume the deadline. Default: the deadline is never paused. */
  readonly pausedWhile?:
    | {
        /** The event type that begins a pause. */
        readonly from: string;
        /** The event type that ends a pause. */
        readonly until: string;
      }
    | undefined;
  /**
   * Times that override `within` for some values of a kept field: `{ key: 'tier', gold: 'PT4H' }`. All other values use
   * `within`.
   */
  readonly tiers?:
    | {
        /** The name of the field in `keep`. */
        readonly key: string;
        /** The times until the deadline, by field value. */
        readonly [value: string]: string;
      }
    | undefined;
  /**
   * How long notifications about the deadline are delayed, for sources that send events late: an ISO 8601 duration of
   * elapsed time. The delay does not affect when the milestone counts as late. Default: none.
   */
  readonly grace?: string | undefined;
}

/** Returns true for a single calendar; false for calendars by value. */
export const isCalendar = (calendar: Calendar | CalendarByKey): calendar is Calendar =>
  typeof calendar.add === 'function';
