import type { Chance } from '../../../src/common/chance.ts';
import type { CalendarDeclaration } from '../../../src/core/calendar/declaration.ts';
import { defineCalendar } from '../../../src/core/calendar/define-calendar.ts';

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Opening hours of a day. Many are at night, when most offset changes happen. */
const usualDays: readonly (readonly string[])[] = [
  ['09:00-17:00'],
  ['08:30-12:00', '13:00-17:15'],
  ['00:00-24:00'],
  ['22:00-06:00'],
  ['00:00-02:30'],
  ['02:00-03:00'],
  ['01:15-02:45', '23:00-24:00'],
];

/** Draws a valid calendar with holidays and exceptions among the given dates. */
export function anyCalendar(chance: Chance, timeZone: string, dates: readonly string[]) {
  for (;;) {
    const declared = anyDeclaration(chance, timeZone, dates);
    try {
      return { declared, calendar: defineCalendar(declared) };
    } catch {
      // The declaration is invalid: its intervals overlap, or the calendar never opens. Draw another one.
    }
  }
}

function anyDeclaration(
  chance: Chance,
  timeZone: string,
  dates: readonly string[],
): CalendarDeclaration {
  const closedShare = chance.pick([0, 0.3, 0.9]);
  const usual = chance.happens(0.7) ? chance.pick(usualDays) : undefined;
  const hours = () => (chance.happens(closedShare) ? [] : (usual ?? anyDay(chance)));
  const some = (count: number) => Array.from({ length: count }, () => chance.pick(dates));
  return {
    timeZone,
    hours: Object.fromEntries(weekdays.map((weekday) => [weekday, hours()])),
    holidays: [
      ...some(chance.whole(0, 3)),
      ...some(chance.whole(0, 1)).map((date) => `-${date.slice(4)}`),
    ],
    exceptions: Object.fromEntries(
      some(chance.whole(0, 3)).map((date) => [
        date,
        chance.pick([[], chance.pick(usualDays), anyDay(chance)]),
      ]),
    ),
  };
}

function anyDay(chance: Chance): string[] {
  const times = Array.from({ length: 2 * chance.whole(1, 3) }, () => chance.whole(0, 96) * 15);
  const sorted = [...new Set(times)].toSorted((a, b) => a - b);
  const drawn = sorted.flatMap((from, i) => {
    const until = sorted[i + 1];
    return i % 2 === 0 && until !== undefined ? [`${clock(from)}-${clock(until)}`] : [];
  });
  const isAlone = sorted.length % 2 === 1 && sorted.at(-1)! < 1440 && sorted[0]! > 0;
  const overMidnight = `${clock(sorted.at(-1)!)}-${clock(chance.whole(0, sorted[0]! / 15) * 15)}`;
  return isAlone && !overMidnight.endsWith('00:00') ? [...drawn, overMidnight] : drawn;
}

function clock(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
