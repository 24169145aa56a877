import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CalendarDeclaration } from '../../../src/core/calendar/declaration.ts';
import { defineCalendar } from '../../../src/core/calendar/define-calendar.ts';
import { MilepostError } from '../../../src/core/errors.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const weekdays = (interval: string) =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [interval]]));
const everyDay = (...intervals: string[]) =>
  Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, intervals]),
  );

/** The calendar in the documentation. June 1, 2026, is a Monday, and Berlin is two hours ahead of UTC in summer. */
const declared = {
  timeZone: 'Europe/Berlin',
  hours: {
    mon: ['09:00-12:00', '13:00-17:00'],
    tue: ['09:00-17:00'],
    wed: ['09:00-17:00'],
    thu: ['09:00-17:00'],
    fri: ['09:00-15:00'],
  },
  holidays: ['2026-12-25', '2026-12-26', '--01-01'],
  exceptions: { '2026-12-24': ['09:00-12:00'] },
} satisfies CalendarDeclaration;
const office = defineCalendar(declared);

/** The same calendar in UTC, so tests can use UTC times. */
const inUtc = defineCalendar({ ...declared, timeZone: 'UTC' });

const utc = (local: string) => `${local.replace(' ', 'T')}:00.000Z`;

describe('hours, minutes, and seconds of a duration', () => {
  it.each([
    ['eight hours within a day', '2026-06-02 09:00', 'PT8H', '2026-06-02 17:00'],
    ['across a break', '2026-06-01 11:00', 'PT2H', '2026-06-01 14:00'],
    [
      'a result at the end of an interval, not at the start of the next',
      '2026-06-01 09:00',
      'PT3H',
      '2026-06-01 12:00',
    ],
    ['across an evening', '2026-06-02 16:00', 'PT2H', '2026-06-03 10:00'],
    ['across a weekend', '2026-06-05 14:00', 'PT2H', '2026-06-08 10:00'],
    ['a start before opening time', '2026-06-02 07:00', 'PT1H', '2026-06-02 10:00'],
    ['a start on a weekend', '2026-06-06 12:00', 'PT1H', '2026-06-08 10:00'],
    ['across an exception and holidays', '2026-12-24 11:00', 'PT2H', '2026-12-28 10:00'],
    ['across a yearly holiday', '2027-12-31 14:00', 'PT2H', '2028-01-03 10:00'],
    ['minutes', '2026-06-02 09:00', 'PT90M', '2026-06-02 10:30'],
    ['a duration of zero, even while closed', '2026-06-06 12:00', 'PT0S', '2026-06-06 12:00'],
  ])('are counted only during open time: %s', (_, start, duration, end) => {
    expect(inUtc.add(utc(start), duration)).toBe(utc(end));
  });

  it('are counted in the local time of the calendar', () => {
    expect(office.add('2026-06-02T07:00:00Z', 'PT8H')).toBe('2026-06-02T15:00:00.000Z');
    expect(office.add('2026-06-02T09:00:00+02:00', 'PT8H')).toBe('2026-06-02T15:00:00.000Z');
  });

  it('are counted to the millisecond', () => {
    expect(inUtc.add('2026-06-02T09:00:00.123456Z', 'PT0.5S')).toBe('2026-06-02T09:00:00.623Z');
  });

  it('end at the last closing time of a year if they equal the open time of the whole year', () => {
    const [start, end] = [utc('2026-01-01 00:00'), utc('2027-01-01 00:00')] as const;
    const ofYear = inUtc.between(start, end) / 1000;
    expect(inUtc.add(start, `PT${ofYear}S`)).toBe(utc('2026-12-31 17:00'));
  });

  it('can span several years, but never end after the year 9999', () => {
    expect(inUtc.add('2026-06-02T09:00:00Z', 'PT10000H')).toBe('2031-08-13T14:00:00.000Z');
    expect(inUtc.add('2026-06-02T09:00:00Z', 'PT99999999H')).toBe('9999-12-31T23:59:59.999Z');
  });
});

describe('days of a duration', () => {
  it.each([
    ['end on the next working day', '2026-06-02 10:00', 'P1D', '2026-06-03 10:00'],
    ['skip weekends', '2026-06-05 10:00', 'P1D', '2026-06-08 10:00'],
    ['skip holidays', '2026-12-24 10:00', 'P1D', '2026-12-28 10:00'],
    ['include a date with an exception', '2026-12-23 10:00', 'P1D', '2026-12-24 10:00'],
    ['end after several working days', '2026-06-01 14:00', 'P7D', '2026-06-10 14:00'],
    [
      'are counted from the next open date if the start is after closing time',
      '2026-06-02 20:00',
      'P1D',
      '2026-06-04 17:00',
    ],
    [
      'are counted from the next open date if the start is on a weekend',
      '2026-06-06 12:00',
      'P1D',
      '2026-06-09 12:00',
    ],
    [
      'are counted from the same date if the start is before opening time',
      '2026-06-02 07:00',
      'P1D',
      '2026-06-03 09:00',
    ],
    [
      'end at opening time if the result would be earlier',
      '2026-06-05 07:00',
      'P1D',
      '2026-06-08 09:00',
    ],
    [
      'end when a break ends if the result would be in the break',
      '2026-06-05 12:30',
      'P1D',
      '2026-06-08 13:00',
    ],
    [
      'end at closing time if the result would be later',
      '2026-06-04 16:30',
      'P1D',
      '2026-06-05 15:00',
    ],
    [
      'are counted before the hours of the same duration',
      '2026-06-05 14:00',
      'P1DT4H',
      '2026-06-09 10:00',
    ],
    ['add nothing if their number is zero', '2026-06-06 12:00', 'P0DT1H', '2026-06-08 10:00'],
  ])('%s', (_, start, duration, end) => {
    expect(inUtc.add(utc(start), duration)).toBe(utc(end));
  });
});

describe('an interval that spans midnight', () => {
  const night = defineCalendar({
    timeZone: 'UTC',
    hours: { mon: ['22:00-06:00'], tue: ['22:00-06:00'], thu: ['22:00-06:00'] },
    holidays: ['2026-06-09'],
  });

  it('belongs to the date on which it starts, so a holiday on the next date does not shorten the interval', () => {
    expect(night.openIntervals('2026-06-08T00:00:00Z', '2026-06-13T00:00:00Z')).toEqual([
      { from: utc('2026-06-08 22:00'), until: utc('2026-06-09 06:00') },
      { from: utc('2026-06-11 22:00'), until: utc('2026-06-12 06:00') },
    ]);
  });

  it('stays open after midnight, even if the next date is not a working day', () => {
    expect(night.add(utc('2026-06-02 23:00'), 'PT5H')).toBe(utc('2026-06-03 04:00'));
    // The next working day after Tuesday is Thursday.
    expect(night.add(utc('2026-06-02 23:00'), 'P1D')).toBe(utc('2026-06-04 23:00'));
    // 02:00 on Tuesday is open, because the interval that starts on Monday has not ended.
    expect(night.add(utc('2026-05-31 02:00'), 'P1D')).toBe(utc('2026-06-02 02:00'));
  });

  it('is not counted twice where it overlaps the hours of an exception', () => {
    const early = defineCalendar({
      timeZone: 'UTC',
      hours: { mon: ['22:00-06:00'] },
      exceptions: { '2026-06-02': ['04:00-08:00'] },
    });
    expect(early.between(utc('2026-06-01 00:00'), utc('2026-06-03 00:00'))).toBe(10 * 3_600_000);
  });
});

describe('open time between two times', () => {
  it.each([
    [1, 'an hour of an open day', '2026-06-02 10:00', '2026-06-02 11:00'],
    [37, 'a week', '2026-06-01 00:00', '2026-06-08 00:00'],
    [37, 'a week that starts within a day', '2026-06-03 12:00', '2026-06-10 12:00'],
    [0, 'a weekend', '2026-06-06 00:00', '2026-06-08 00:00'],
    [0, 'times in the wrong order', '2026-06-02 11:00', '2026-06-02 10:00'],
    [0, 'times years apart in the wrong order', '2029-06-02 11:00', '2026-06-02 10:00'],
  ])('is %i h for %s', (hours, _, from, until) => {
    expect(inUtc.between(utc(from), utc(until))).toBe(hours * 3_600_000);
  });

  it.each([
    ['Europe/Berlin', office],
    ['UTC', inUtc],
  ])('is the total length of all open spans: %s', (_, calendar) => {
    // The years 2026 and 2037 start on the same day of the week, but only 2026 has exceptions.
    const [from, until] = ['2025-11-03T10:30:00Z', '2038-02-03T10:30:00Z'] as const;
    const lengths = calendar
      .openIntervals(from, until)
      .map((span) => Date.parse(span.until) - Date.parse(span.from));
    expect(calendar.between(from, until)).toBe(lengths.reduce((a, b) => a + b));
  });
});

describe('openIntervals', () => {
  it('limits the open spans to the given times', () => {
    expect(inUtc.openIntervals(utc('2026-06-01 10:00'), utc('2026-06-02 10:00'))).toEqual([
      { from: utc('2026-06-01 10:00'), until: utc('2026-06-01 12:00') },
      { from: utc('2026-06-01 13:00'), until: utc('2026-06-01 17:00') },
      { from: utc('2026-06-02 09:00'), until: utc('2026-06-02 10:00') },
    ]);
  });

  it('joins two open spans if one ends when the next one starts', () => {
    const always = defineCalendar({ timeZone: 'Europe/Berlin', hours: everyDay('00:00-24:00') });
    const [from, until] = [utc('2026-01-01 00:00'), utc('2027-01-01 00:00')] as const;
    expect(always.openIntervals(from, until)).toEqual([{ from, until }]);
  });
});

describe('an offset change', () => {
  const nights = defineCalendar({
    timeZone: 'Europe/Berlin',
    hours: everyDay('01:00-04:00'),
  });

  it('shortens opening hours by a skipped hour', () => {
    // In Berlin, the clocks change from 02:00 to 03:00 on March 29, 2026.
    expect(nights.between(utc('2026-03-28 12:00'), utc('2026-03-29 12:00'))).toBe(2 * 3_600_000);
    expect(nights.add(utc('2026-03-28 12:00'), 'PT3H')).toBe(utc('2026-03-30 00:00'));
  });

  it('lengthens opening hours by a repeated hour', () => {
    // In Berlin, the clocks change from 03:00 to 02:00 on October 25, 2026.
    expect(nights.between(utc('2026-10-24 12:00'), utc('2026-10-25 12:00'))).toBe(4 * 3_600_000);
    expect(nights.add(utc('2026-10-24 12:00'), 'PT4H')).toBe(utc('2026-10-25 03:00'));
  });

  it('moves a deadline at a skipped time by the skipped hour', () => {
    expect(nights.add(utc('2026-03-28 01:30'), 'P1D')).toBe(utc('2026-03-29 01:30'));
  });

  it('sets a deadline at a repeated time to the first occurrence', () => {
    expect(nights.add(utc('2026-10-24 00:30'), 'P1D')).toBe(utc('2026-10-25 00:30'));
  });

  it('can repeat opening hours on both sides of midnight', () => {
    // In St. John's, the clocks changed from 00:01 on October 28, 2001, to 23:01 on October 27.
    const evenings = defineCalendar({
      timeZone: 'America/St_Johns',
      hours: { sat: ['23:00-24:00'], sun: ['00:00-01:00'] },
    });
    expect(evenings.openIntervals(utc('2001-10-27 12:00'), utc('2001-10-28 12:00'))).toEqual([
      { from: utc('2001-10-28 01:30'), until: utc('2001-10-28 04:30') },
    ]);
  });

  it('can skip a whole date, which is then not a working day', () => {
    // Samoa skipped Friday, December 30, 2011.
    const apia = defineCalendar({
      timeZone: 'Pacific/Apia',
      hours: { wed: ['09:00-17:00'], thu: ['09:00-17:00'], fri: ['09:00-17:00'] },
    });
    const thursday = '2011-12-29T10:00:00-10:00';
    expect(apia.add(thursday, 'P1D')).toBe('2012-01-03T20:00:00.000Z');
    expect(apia.add(thursday, 'PT8H')).toBe('2012-01-03T20:00:00.000Z');
  });
});

describe('a calendar that is open only on individual dates', () => {
  const once = defineCalendar({
    timeZone: 'UTC',
    hours: {},
    exceptions: { '2026-07-01': ['09:00-17:00'], '2027-07-01': ['09:00-17:00'] },
  });

  it('counts only the open time of those dates', () => {
    expect(once.add(utc('2026-06-01 12:00'), 'PT9H')).toBe(utc('2027-07-01 10:00'));
    expect(once.add(utc('2026-07-01 12:00'), 'P1D')).toBe(utc('2027-07-01 12:00'));
  });

  it('returns the end of 9999 for a deadline after its last open date', () => {
    const never = '9999-12-31T23:59:59.999Z';
    expect(once.add(utc('2026-06-01 12:00'), 'PT17H')).toBe(never);
    expect(once.add(utc('2026-06-01 12:00'), 'P2D')).toBe(never);
    expect(once.add(utc('2028-06-01 12:00'), 'P1D')).toBe(never);
  });
});

describe('a holiday', () => {
  it('on February 29 applies only in leap years', () => {
    const leap = defineCalendar({ ...declared, timeZone: 'UTC', holidays: ['--02-29'] });
    expect(leap.add('2028-02-28T09:00:00Z', 'P1D')).toBe('2028-03-01T09:00:00.000Z');
    expect(leap.add('2027-02-26T09:00:00Z', 'P1D')).toBe('2027-03-01T09:00:00.000Z');
  });

  it('counts neither as a working day nor as open time', () => {
    // https://github.com/process-intelligence-solutions/pm4py/issues/558
    const christmas = defineCalendar({
      timeZone: 'UTC',
      hours: weekdays('07:00-17:00'),
      holidays: ['2026-12-25'],
    });
    expect(christmas.between(utc('2026-12-24 00:00'), utc('2026-12-26 00:00'))).toBe(
      10 * 3_600_000,
    );
    expect(christmas.add(utc('2026-12-24 07:00'), 'PT11H')).toBe(utc('2026-12-28 08:00'));
    expect(christmas.add(utc('2026-12-24 07:00'), 'P1D')).toBe(utc('2026-12-28 07:00'));
  });

  it('is overridden by an exception', () => {
    const open = defineCalendar({
      ...declared,
      holidays: ['2026-06-02', '--06-03'],
      exceptions: { '2026-06-02': ['10:00-11:00'], '2026-06-03': ['10:00-11:00'] },
    });
    expect(open.between('2026-06-02T00:00:00Z', '2026-06-04T00:00:00Z')).toBe(2 * 3_600_000);
  });
});

it('P1D is one working day, not 24 hours of open time', () => {
  // https://github.com/jmix-framework/jmix/issues/790
  expect(inUtc.add(utc('2026-06-02 10:00'), 'P1D')).toBe(utc('2026-06-03 10:00'));
  expect(inUtc.add(utc('2026-06-02 10:00'), 'PT24H')).toBe(utc('2026-06-05 10:00'));
});

describe('a duration that a calendar cannot count', () => {
  it.each([
    ['P1W', 'P1W: a calendar cannot count years, months, or weeks; use working days, such as P5D'],
    ['P1M', 'P1M: a calendar cannot count years, months, or weeks; use working days, such as P5D'],
    ['P1Y', 'P1Y: a calendar cannot count years, months, or weeks; use working days, such as P5D'],
    ['P0.5D', 'P0.5D: working days must be whole; use hours for part of a day'],
    ['-PT1H', '-PT1H is negative; use a duration of at least 0'],
    ['8 hours', '"8 hours" is not an ISO 8601 duration, such as P2D or PT8H'],
  ])('is rejected: %s', (duration, message) => {
    expect(() => office.add('2026-06-02T07:00:00Z', duration)).toThrow(new RangeError(message));
  });
});

it('a time that is not RFC 3339 is rejected', () => {
  const message =
    'a time must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got "2026-06-02 09:00"';
  expect(() => office.add('2026-06-02 09:00', 'PT1H')).toThrow(new RangeError(message));
});

describe('the declaration of a calendar', () => {
  const mistakes = (declaration: unknown) => {
    const error = thrownBy(() => defineCalendar(declaration as CalendarDeclaration));
    expect(error).toBeInstanceOf(MilepostError);
    expect(error).toMatchObject({ code: 'bad-model' });
    return (error as Error).message.replace('calendar: ', '').split(/; (?=\w+(?:\.|:))/);
  };

  it('is rejected with a list of all mistakes', () => {
    expect(
      mistakes({
        timeZone: 'Europe/Berln',
        hours: { mon: ['9-12', '13:00-25:00', '12:00-12:00'], mittwoch: [], tue: '09:00-17:00' },
        holidays: ['2026-02-30', '--02-30', '--2-3', '25.12.2026'],
        exceptions: { '--12-24': [], '2026-12-24': ['24:00-01:00'] },
        zone: 'UTC',
      }),
    ).toEqual([
      'timeZone: must be an IANA time zone, such as Europe/Berlin; got "Europe/Berln"; did you mean `Europe/Berlin`?',
      'hours.mon.0: must be an interval from 00:00 to 24:00, such as 09:00-17:00 or 22:00-06:00; got "9-12"',
      'hours.mon.1: must be an interval from 00:00 to 24:00, such as 09:00-17:00 or 22:00-06:00; got "13:00-25:00"',
      'hours.mon.2: must not be empty; use 00:00-24:00 for a whole day; got 12:00-12:00',
      'hours.tue: Invalid type: Expected Array but received "09:00-17:00"',
      'hours.mittwoch: unknown key',
      'holidays.0: must be an existing date, such as 2026-12-25, or an annual date, such as --12-25; got "2026-02-30"',
      'holidays.1: must be an existing date, such as 2026-12-25, or an annual date, such as --12-25; got "--02-30"',
      'holidays.2: must be an existing date, such as 2026-12-25, or an annual date, such as --12-25; got "--2-3"',
      'holidays.3: must be an existing date, such as 2026-12-25, or an annual date, such as --12-25; got "25.12.2026"',
      'exceptions.--12-24: must be an existing date, such as 2026-12-24; got "--12-24"',
      'exceptions.2026-12-24.0: must be an interval from 00:00 to 24:00, such as 09:00-17:00 or 22:00-06:00; got "24:00-01:00"',
      'zone: unknown key',
    ]);
  });

  it.each<[declaration: unknown, messages: string[]]>([
    [{}, ['timeZone: is missing', 'hours: is missing']],
    [null, ['must be an object with the keys timeZone, hours, holidays, exceptions; got null']],
    [
      { timeZone: 'UTC', hours: 'always' },
      ['hours: must be an object with the keys sun, mon, tue, wed, thu, fri, sat; got "always"'],
    ],
  ])('is rejected if it is %j', (declaration, messages) => {
    expect(mistakes(declaration)).toEqual(messages);
  });

  it.each([
    [
      { mon: ['09:00-12:00', '11:00-17:00'] },
      'hours.mon: 09:00-12:00 and 11:00-17:00 overlap; separate them',
    ],
    [
      { mon: ['12:00-17:00', '09:00-12:00'] },
      'hours.mon: 09:00-12:00 and 12:00-17:00 touch; join them',
    ],
    [
      { sat: ['22:00-06:00'], sun: ['05:00-09:00'] },
      'hours: 22:00-06:00 on sat overlaps 05:00-09:00 on sun; separate them',
    ],
    [{}, 'it never opens; add an interval to at least one day of `hours`'],
    [{ mon: [] }, 'it never opens; add an interval to at least one day of `hours`'],
  ])('is rejected if `hours` is %j', (hours, message) => {
    expect(mistakes({ timeZone: 'UTC', hours }).join('; ')).toBe(message);
  });

  it('is rejected if every day of the year is a holiday', () => {
    const holidays = Array.from({ length: 366 }, (_, i) =>
      new Date(Date.UTC(2000, 0, 1 + i)).toISOString().slice(4, 10),
    ).map((day) => `-${day}`);
    const hours = { mon: ['09:00-17:00'] };
    expect(mistakes({ timeZone: 'UTC', hours, holidays }).join()).toMatch(/^it never opens/);
  });

  it('can have an interval that ends when the first interval of the next date starts', () => {
    const shifts = defineCalendar({
      timeZone: 'UTC',
      hours: everyDay('06:00-14:00', '22:00-06:00'),
    });
    expect(shifts.between(utc('2026-06-01 06:00'), utc('2026-06-08 06:00'))).toBe(
      7 * 16 * 3_600_000,
    );
  });
});

describe('years after 2050', () => {
  it('use the last known offset of the time zone', () => {
    expect(office.add('2060-07-01T07:00:00Z', 'PT1H')).toBe('2060-07-01T09:00:00.000Z');
  });

  // Years of the same length that start on the same day of the week share a cached total.
  it('have as much open time as the total length of their open spans', () => {
    const [from, until] = ['2060-01-01T00:00:00Z', '2105-01-01T00:00:00Z'] as const;
    const years = Array.from({ length: 45 }, (_, i) => 2060 + i).map((year) =>
      office
        .openIntervals(`${year}-01-01T00:00:00Z`, `${year + 1}-01-01T00:00:00Z`)
        .reduce((sum, span) => sum + Date.parse(span.until) - Date.parse(span.from), 0),
    );
    expect(office.between(from, until)).toBe(years.reduce((a, b) => a + b));
  });
});

describe('a calendar', () => {
  const time = fc
    .date({ min: new Date('1970-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const milliseconds = fc.integer({ min: 0, max: 40 * 86_400_000 });
  const inMs = (count: number) => `PT${count / 1000}S`;

  it('returns the same time whether two durations are added one after the other or as their sum', () => {
    fc.assert(
      fc.property(time, milliseconds, milliseconds, (start, a, b) => {
        expect(office.add(office.add(start, inMs(a)), inMs(b))).toBe(
          office.add(start, inMs(a + b)),
        );
      }),
    );
  });

  it('measures exactly as much open time as it added', () => {
    fc.assert(
      fc.property(time, milliseconds, (start, a) => {
        expect(office.between(start, office.add(start, inMs(a)))).toBe(a);
      }),
    );
  });
});
