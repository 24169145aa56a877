import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../run.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-calendar-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the command with an iCalendar file of events, each of which is an array of lines. */
async function convert(events: readonly (readonly string[])[], ...options: string[]) {
  return run(['calendar', await fileOf(events), ...options]);
}

async function fileOf(events: readonly (readonly string[])[]): Promise<string> {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']);
  const file = join(folder, 'holidays.ics');
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...lines, 'END:VCALENDAR', ''];
  await writeFile(file, text.join('\r\n'));
  return file;
}

/** Returns the dates that the command prints for one event. */
async function dates(event: readonly string[], ...options: string[]): Promise<string[]> {
  const { stdout } = await convert([['SUMMARY:Holiday', ...event]], '--json', ...options);
  const { holidays } = JSON.parse(stdout) as { holidays: { date: string }[] };
  return holidays.map(({ date }) => date);
}

const newYear = ['SUMMARY:New Year', 'DTSTART;VALUE=DATE:20260101'];
const christmas = ['SUMMARY:Christmas', 'DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261227'];

describe('milepost calendar', () => {
  it('prints a module with the dates of all-day events', async () => {
    const { status, stdout, stderr } = await convert([christmas, newYear]);
    expect(status).toBe(0);
    expect(stdout).toBe(
      [
        '/** The all-day events in holidays.ics, written by `milepost calendar`. */',
        'export const holidays = [',
        "  '2026-01-01', // New Year",
        "  '2026-12-25', // Christmas",
        "  '2026-12-26', // Christmas",
        '];',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe(
      '3 holidays from 2026-01-01 to 2026-12-26. The calendar contains no holidays after 2026-12-26; run the command again with a newer file before then.\n',
    );
    const file = join(folder, 'holidays.ts');
    await writeFile(file, stdout);
    const { holidays } = (await import(pathToFileURL(file).href)) as { holidays: string[] };
    expect(holidays).toEqual(['2026-01-01', '2026-12-25', '2026-12-26']);
  });

  it('escapes control characters in JSON on a terminal', async () => {
    const file = await fileOf([['SUMMARY:Feast\u009b\u202e', 'DTSTART;VALUE=DATE:20260101']]);
    const { stdout } = await run(['calendar', file, '--json'], { columns: 80 });
    expect(stdout).toContain('"name":"Feast\\u009b\\u202e"');
  });

  it('lists a date with several events once', async () => {
    const carnival = ['SUMMARY:Carnival\\n(regional)', 'DTSTART;VALUE=DATE:20260101'];
    const { stdout } = await convert([newYear, carnival]);
    expect(stdout).toContain("  '2026-01-01', // New Year, Carnival (regional)\n]");
  });

  it('skips canceled events and events with a time of day, and names only the events with a time of day', async () => {
    const party = ['SUMMARY:Party', 'DTSTART:20261224T120000Z', 'DTEND:20261224T140000Z'];
    const cancelled = ['STATUS:CANCELLED', 'DTSTART;VALUE=DATE:20260501'];
    const { stdout, stderr } = await convert([newYear, party, cancelled], '--json');
    expect(JSON.parse(stdout)).toEqual({
      holidays: [{ date: '2026-01-01', name: 'New Year' }],
      skipped: ['Party'],
    });
    expect(stderr).toContain('skipped: Party has a time of day; add its date to `exceptions`');
  });

  it.each([
    ['an event of one day without an end date', ['DTSTART;VALUE=DATE:20260101'], ['2026-01-01']],
    [
      'an end that is not after the start',
      ['DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:20260101'],
      ['2026-01-01'],
    ],
    ['a duration', ['DTSTART;VALUE=DATE:20260101', 'DURATION:P2D'], ['2026-01-01', '2026-01-02']],
    [
      'a number of occurrences',
      ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;COUNT=2'],
      ['2026-01-01', '2027-01-01'],
    ],
    [
      'the fourth Thursday of a month',
      ['DTSTART;VALUE=DATE:20261126', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;UNTIL=20281231'],
      ['2026-11-26', '2027-11-25', '2028-11-23'],
    ],
    [
      'the last day of a month',
      ['DTSTART;VALUE=DATE:20270228', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=2'],
      ['2027-02-28', '2028-02-29'],
    ],
    [
      'occurrences without an end, up to a given year',
      ['DTSTART;VALUE=DATE:20280101', 'RRULE:FREQ=YEARLY'],
      ['2028-01-01', '2029-01-01', '2030-01-01'],
    ],
    [
      'February 29, in leap years',
      ['DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY'],
      ['2024-02-29', '2028-02-29'],
    ],
    [
      'a removed and an added occurrence',
      [
        'DTSTART;VALUE=DATE:20280101',
        'RRULE:FREQ=YEARLY',
        'EXDATE;VALUE=DATE:20290101',
        'RDATE;VALUE=DATE:20290102',
      ],
      ['2028-01-01', '2029-01-02', '2030-01-01'],
    ],
  ])('supports %s', async (_, event, expected) => {
    expect(await dates(event, '--until', '2030')).toEqual(expected);
  });

  it('supports an occurrence that was moved or canceled', async () => {
    const yearly = ['UID:1', 'DTSTART;VALUE=DATE:20260502', 'RRULE:FREQ=YEARLY;COUNT=4'];
    const moved = ['UID:1', 'RECURRENCE-ID;VALUE=DATE:20270502', 'DTSTART;VALUE=DATE:20270503'];
    const cancelled = [
      'UID:1',
      'RECURRENCE-ID;VALUE=DATE:20280502',
      'DTSTART;VALUE=DATE:20280502',
      'STATUS:CANCELLED',
    ];
    const other = ['UID:2', 'DTSTART;VALUE=DATE:20260601', 'RRULE:FREQ=YEARLY;COUNT=1'];
    const { stdout } = await convert([yearly, moved, cancelled, other], '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      holidays: ['2026-05-02', '2026-06-01', '2027-05-03', '2029-05-02'].map((date) => ({ date })),
    });
  });

  it.each([
    [['DTSTART;VALUE=DATE:20261350'], 'DTSTART of the event "A" is not a date: 2026-13-50'],
    [['DTSTART;VALUE=DATE:2026-01-01'], 'DTSTART of the event "A" is not a date: '],
    [['UID:1'], 'the event "A" has no DTSTART'],
    [
      ['DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:99991231'],
      'the event "A" must last at most 366 days; got 2912442 days from 2026-01-01; correct its DTEND or DURATION',
    ],
    [
      ['DTSTART;VALUE=DATE:20260101', 'DURATION:P53W'],
      'the event "A" must last at most 366 days; got 371 days from 2026-01-01',
    ],
    [
      ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;BYWEEKNO=2;BYDAY=MO'],
      'the event "A" repeats in numbered weeks (BYWEEKNO), which is not supported; list its dates',
    ],
    [
      ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=SECONDLY'],
      'the event "A" lasts all day, so its RRULE must have the FREQ DAILY, WEEKLY, MONTHLY, or YEARLY; got SECONDLY',
    ],
    [
      ['DTSTART;VALUE=DATE:20260101', 'RRULE:COUNT=3'],
      'the event "A" lasts all day, so its RRULE must have the FREQ DAILY, WEEKLY, MONTHLY, or YEARLY; got none',
    ],
    [
      ['DTSTART;VALUE=DATE:20260101', 'RRULE:never'],
      'the event "A" lasts all day, so its RRULE must have the FREQ DAILY, WEEKLY, MONTHLY, or YEARLY; got none',
    ],
    [['DTSTART:20260101T120000Z'], 'the file contains no all-day events'],
  ])('rejects a file whose only event has the properties %j', async (event, message) => {
    const { status, stdout, stderr } = await convert([['SUMMARY:A', ...event]]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`holidays.ics: ${message}`);
  });

  it('rejects a file that does not exist or is not an iCalendar file', async () => {
    const missing = await run(['calendar', join(folder, 'missing.ics')]);
    expect(missing).toMatchObject({ status: 2, stdout: '' });
    expect(missing.stderr).toMatch(/^error: cannot read .*missing\.ics: ENOENT/);
    for (const content of ['Monday to Friday', '{"a":1}', '']) {
      await writeFile(join(folder, 'text.ics'), content);
      const text = await run(['calendar', join(folder, 'text.ics')]);
      expect(text).toMatchObject({ status: 1, stdout: '' });
      expect(text.stderr).toMatch(/^error: .*text\.ics: it is not an iCalendar file, .+\n$/);
    }
  });

  it('reads a file with a byte order mark', async () => {
    const file = join(folder, 'mark.ics');
    const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...newYear, 'END:VEVENT', 'END:VCALENDAR'];
    await writeFile(file, `\uFEFF${lines.join('\r\n')}\r\n`);
    const { status, stdout } = await run(['calendar', file, '--json']);
    expect(status).toBe(0);
    expect(stdout).toContain('"2026-01-01"');
  });

  it.each(['soon', '20', '0026'])('rejects the year %j', async (until) => {
    const { status, stderr } = await convert([newYear], '--until', until);
    expect(status).toBe(2);
    expect(stderr).toContain('It must be a year, such as 2030.');
  });
});
