import { Chance } from '../../../src/common/chance.ts';
import type { CalendarDeclaration } from '../../../src/core/calendar/declaration.ts';
import { timeZone } from '../../../src/core/calendar/zones/time-zone.ts';
import { anyCalendar } from './any-calendar.ts';
import { LocalClock, type Minute } from './local-clock.ts';
import { type Duration, Oracle } from './oracle.ts';

/** The result of comparing a calendar with the oracle. */
export interface Comparison {
  /** The number of cases with equal results. */
  cases: number;
  /** The number of windows that were skipped because the offsets of Node.js and Milepost differ in them. */
  otherOffsets: number;
  /** The number of cases that were skipped because their result is after the end of their window. */
  tooLong: number;
  readonly differences: string[];
}

export interface ComparisonOptions {
  readonly zone: string;
  /** The seed of the random numbers, which determines all cases. */
  readonly seed: number;
  /** The minutes around which to place windows, such as the minutes of offset changes. */
  readonly around: readonly Minute[];
  readonly calendarsPerWindow: number;
  readonly casesPerCalendar: number;
}

/** Compares the results of random calendars with those of the oracle, in a window around each of the given minutes. */
export function compare(options: ComparisonOptions): Comparison {
  const { zone, around, seed } = options;
  const chance = new Chance(seed);
  const clock = new LocalClock(zone);
  const result = { cases: 0, otherOffsets: 0, tooLong: 0, differences: [] };
  for (const minute of around) {
    const from = minute - chance.whole(3, 20) * 1440;
    const length = chance.whole(25, 60) * 1440;
    const local = clock.window(from, length);
    if (!hasSameOffsets(zone, from, local)) result.otherOffsets++;
    else compareWindow(options, { minute, from, local, chance, result });
  }
  return result;
}

interface Window {
  /** A minute within the window, such as the minute of an offset change. */
  readonly minute: Minute;
  readonly from: Minute;
  readonly local: Int32Array;
  readonly chance: Chance;
  readonly result: Comparison;
}

function hasSameOffsets(zone: string, from: Minute, local: Int32Array): boolean {
  const compiled = timeZone(zone)!;
  return local.every(
    (minute, i) => i % 15 > 0 || compiled.toLocal((from + i) * 60_000) === minute * 60_000,
  );
}

function compareWindow(options: ComparisonOptions, window: Window): void {
  const { minute, from, local, chance, result } = window;
  const dates = datesOf(local);
  for (let i = 0; i < options.calendarsPerWindow; i++) {
    const { declared, calendar } = anyCalendar(chance, options.zone, dates);
    const oracle = new Oracle(declared, from, local);
    const iso = (time: number) => new Date(time).toISOString();
    const end = (from + local.length) * 60_000;
    // The oracle needs two days of the window before a time and ten days after it.
    const [least, most] = [from + 2 * 1440, from + local.length - 10 * 1440];
    const anyTime = () => {
      // Draw a time of day within three hours of the offset change, on a day near it.
      const close = minute + chance.whole(-7, 3) * 1440 + chance.whole(-180, 180);
      const drawn = chance.happens(0.3) ? close : chance.whole(least, most);
      const within = Math.max(least, Math.min(most, drawn));
      return within * 60_000 + (chance.happens(0.2) ? chance.whole(0, 59_999) : 0);
    };
    const report = (call: string, actual: unknown, expected: unknown) => {
      if (JSON.stringify(actual) === JSON.stringify(expected)) result.cases++;
      else result.differences.push(difference(declared, call, actual, expected));
    };
    for (let n = 0; n < options.casesPerCalendar; n++) {
      const [start, kind] = [anyTime(), chance.fraction()];
      if (kind < 0.75) {
        const duration = anyDuration(chance, kind);
        const expected = oracle.add(start, duration);
        if (expected === undefined || expected >= end) result.tooLong++;
        else {
          const actual = calendar.add(iso(start), textOf(duration));
          report(`add ${iso(start)} ${textOf(duration)}`, actual, iso(expected));
        }
      } else {
        const until = anyTime();
        const call = `${iso(start)} ${iso(until)}`;
        if (kind < 0.95)
          report(
            `between ${call}`,
            calendar.between(iso(start), iso(until)),
            oracle.between(start, until),
          );
        else
          report(
            `openIntervals ${call}`,
            calendar.openIntervals(iso(start), iso(until)),
            oracle
              .openIntervals(start, until)
              .map((span) => ({ from: iso(span.from), until: iso(span.until) })),
          );
      }
    }
  }
}

function anyDuration(chance: Chance, kind: number): Duration {
  const minutes = chance.pick([0, 60, 480, chance.whole(0, 600), chance.whole(0, 6000)]);
  const milliseconds = minutes * 60_000 + (chance.happens(0.1) ? chance.whole(1, 59_999) : 0);
  if (kind < 0.4) return { days: 0, milliseconds };
  return { days: chance.whole(1, 7), milliseconds: kind < 0.65 ? 0 : milliseconds };
}

const textOf = ({ days, milliseconds }: Duration) => `P${days}DT${milliseconds / 1000}S`;

function difference(declared: CalendarDeclaration, ...rest: readonly unknown[]): string {
  const [call, actual, expected] = rest.map((value) => JSON.stringify(value));
  return `${call}: ${actual} instead of ${expected} with ${JSON.stringify(declared)}`;
}

function datesOf(local: Int32Array): string[] {
  const dates = new Set(
    local.filter((_, i) => i % 60 === 0).map((minute) => Math.floor(minute / 1440)),
  );
  return [...dates].map((date) => new Date(date * 86_400_000).toISOString().slice(0, 10));
}
