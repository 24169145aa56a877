import { dayLength } from './opening-hours.ts';
import { dateAt, hoursOn, type Schedule } from './schedule.ts';
import type { OffsetSpan, TimeZone } from './zones/time-zone.ts';

/** A span of open time, in milliseconds since 1970. `until` is exclusive. */
export interface OpenSpan {
  readonly from: number;
  readonly until: number;
}

/**
 * Computes when a schedule is open in a time zone: an instant is open if its local date and time are within the opening
 * hours. Opening hours that an offset change skips are therefore not counted, and opening hours that it repeats are
 * counted twice.
 */
export class OpenSpans {
  readonly #zone: TimeZone;
  readonly #schedule: Schedule;

  constructor(zone: TimeZone, schedule: Schedule) {
    this.#zone = zone;
    this.#schedule = schedule;
  }

  /** Returns the open spans between two instants, in order and without overlaps. Adjacent spans are not joined. */
  *within(from: number, until: number): Generator<OpenSpan> {
    let end = Number.NEGATIVE_INFINITY;
    for (const span of this.#zone.offsetSpans(from, until)) {
      const last = dateAt(span.until - 1 + span.offset);
      // The opening hours of the previous date can end after midnight.
      for (let date = dateAt(span.from + span.offset) - 1; date <= last; date++)
        for (const open of this.#onDateIn(date, span)) {
          // Opening hours after midnight can overlap an exception's opening hours on the next date.
          if (open.until <= end) continue;
          yield { from: Math.max(open.from, end), until: open.until };
          end = open.until;
        }
    }
  }

  /** Returns the spans of the opening hours that start on a date, in order. */
  *onDate(date: number): Generator<OpenSpan> {
    if (hoursOn(this.#schedule, date).length === 0) return;
    const [from, until] = [(date - 2) * dayLength, (date + 4) * dayLength];
    for (const span of this.#zone.offsetSpans(from, until)) yield* this.#onDateIn(date, span);
  }

  /** Returns true if the schedule is open at an instant. */
  isOpen(instant: number): boolean {
    return !this.within(instant, instant + 1).next().done;
  }

  *#onDateIn(date: number, span: OffsetSpan): Generator<OpenSpan> {
    const midnight = date * dayLength - span.offset;
    for (const { opens, closes } of hoursOn(this.#schedule, date)) {
      const from = Math.max(midnight + opens, span.from);
      const until = Math.min(midnight + closes, span.until);
      if (from < until) yield { from, until };
    }
  }
}
