import type { CalendarDeclaration } from '../../../src/core/calendar/declaration.ts';
import type { Minute } from './local-clock.ts';

const perDay = 1440;
const closed = -1;

/** A duration: working days, which are added first, and open time. */
export interface Duration {
  readonly days: number;
  readonly milliseconds: number;
}

/**
 * Computes deadlines and open time from a calendar's declaration by examining each minute of a window. It shares no
 * code with `Calendar`. Times are in milliseconds since 1970. A deadline is undefined if it is outside the window.
 */
export class Oracle {
  readonly #from: Minute;
  readonly #local: Int32Array;
  /** For each minute, the date to which its opening hours belong, in days since 1970, or `closed`. */
  readonly #owner: Int32Array;
  /** The dates with opening hours, in order. */
  readonly #workingDays: readonly number[];

  constructor(declared: CalendarDeclaration, from: Minute, local: Int32Array) {
    this.#from = from;
    this.#local = local;
    const days = new Map<number, Int8Array>();
    this.#owner = local.map((minute) => {
      const date = Math.floor(minute / perDay);
      if (!days.has(date)) days.set(date, minutesOf(declared, date));
      const open = days.get(date)![minute - date * perDay]!;
      return open === 0 ? closed : date - (open - 1);
    });
    const owners = new Set(this.#owner);
    owners.delete(closed);
    this.#workingDays = [...owners].toSorted((a, b) => a - b);
  }

  add(start: number, { days, milliseconds }: Duration): number | undefined {
    const first = days === 0 ? start : this.#addDays(start, days);
    return first === undefined ? undefined : this.#addTime(first, milliseconds);
  }

  between(from: number, until: number): number {
    let open = 0;
    this.#eachOpenMinute(from, (start, end) => {
      if (start >= until) return true;
      open += Math.min(end, until) - start;
      return false;
    });
    return open;
  }

  openIntervals(from: number, until: number): { from: number; until: number }[] {
    const spans: { from: number; until: number }[] = [];
    this.#eachOpenMinute(from, (start, end) => {
      if (start >= until) return true;
      const last = spans.at(-1);
      if (last?.until === start) last.until = Math.min(end, until);
      else spans.push({ from: start, until: Math.min(end, until) });
      return false;
    });
    return spans;
  }

  #addTime(start: number, milliseconds: number): number | undefined {
    if (milliseconds === 0) return start;
    let left = milliseconds;
    let result: number | undefined;
    this.#eachOpenMinute(start, (from, until) => {
      if (until - from >= left) result = from + left;
      left -= until - from;
      return result !== undefined;
    });
    return result;
  }

  /** Visits every open minute from `from` until `visit` returns true. */
  #eachOpenMinute(from: number, visit: (start: number, end: number) => boolean): void {
    const [owner, first] = [this.#owner, this.#from];
    for (let i = this.#index(from); i < owner.length; i++)
      if (
        owner[i] !== closed &&
        visit(Math.max((first + i) * 60_000, from), (first + i + 1) * 60_000)
      )
        return;
  }

  #addDays(start: number, count: number): number | undefined {
    let opening = this.#index(start);
    while (opening < this.#owner.length && this.#owner[opening] === closed) opening++;
    if (opening >= this.#owner.length) return undefined;
    const startDate = Math.floor(this.#local[opening]! / perDay);
    const date = this.#workingDays.filter((date) => date > startDate)[count - 1];
    // Opening hours of the window's last dates may continue after the window.
    if (date === undefined || date > this.#local.at(-1)! / perDay - 2) return undefined;
    const timeOfDay = this.#local[this.#index(start)]! % perDay;
    const minute = this.#firstAt(date * perDay + timeOfDay);
    const sameTime = (this.#from + minute) * 60_000 + (start % 60_000);
    if (this.#isOpen(sameTime)) return sameTime;
    const isOfDate = (i: number) => this.#owner[i] === date;
    let next = minute + 1;
    while (next < this.#owner.length && !(isOfDate(next) && !isOfDate(next - 1))) next++;
    const moved = next < this.#owner.length ? next : this.#owner.lastIndexOf(date) + 1;
    return (this.#from + moved) * 60_000;
  }

  /**
   * Returns the first minute with the given local time. A local time that is skipped is moved forward by the skipped
   * span.
   */
  #firstAt(local: Minute): number {
    const exact = this.#local.indexOf(local);
    if (exact >= 0) return exact;
    const after = this.#local.findIndex((minute) => minute > local);
    const skipped = this.#local[after]! - this.#local[after - 1]! - 1;
    return this.#local.indexOf(local + skipped);
  }

  #index(at: number): number {
    return Math.floor(at / 60_000) - this.#from;
  }

  #isOpen(at: number): boolean {
    return this.#owner[this.#index(at)] !== closed;
  }
}

/**
 * Returns a number for each minute of a date: 0 if closed, 1 in opening hours of the date, and 2 in opening hours of
 * the day before.
 */
function minutesOf(declared: CalendarDeclaration, date: number): Int8Array {
  const minutes = new Int8Array(perDay);
  for (const interval of intervalsOn(declared, date - 1)) {
    const [from, until] = bounds(interval);
    if (until <= from) minutes.fill(2, 0, until);
  }
  for (const interval of intervalsOn(declared, date)) {
    const [from, until] = bounds(interval);
    minutes.fill(1, from, until <= from ? perDay : until);
  }
  return minutes;
}

function intervalsOn(declared: CalendarDeclaration, date: number): readonly string[] {
  const text = new Date(date * perDay * 60_000).toISOString().slice(0, 10);
  const { hours, holidays = [], exceptions = {} } = declared;
  if (text in exceptions) return exceptions[text]!;
  if (holidays.includes(text) || holidays.includes(`-${text.slice(4)}`)) return [];
  const names = ['thu', 'fri', 'sat', 'sun', 'mon', 'tue', 'wed'] as const;
  return hours[names[date % 7]!] ?? [];
}

function bounds(interval: string): [number, number] {
  const [from, until] = interval.split('-').map((time) => {
    const [hour, minute] = time.split(':').map(Number);
    return hour! * 60 + minute!;
  });
  return [from!, until!];
}
