import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { zoneModule } from '../../../../scripts/zones/zone-module.ts';
import { timeZone, timeZoneNames } from '../../../../src/core/calendar/zones/time-zone.ts';

const local = (zone: string, time: string) =>
  new Date(timeZone(zone)!.toLocal(Date.parse(time))).toISOString().slice(0, 16);

const instant = (zone: string, time: string) =>
  new Date(timeZone(zone)!.toInstant(Date.parse(`${time}Z`))).toISOString().slice(0, 16);

describe('a time zone', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00'],
    ['Europe/Berlin', '1975-07-01T12:00:00Z', '1975-07-01T13:00'],
    ['Europe/Berlin', '2050-07-01T12:00:00Z', '2050-07-01T14:00'],
    ['Australia/Lord_Howe', '2026-07-01T12:00:00Z', '2026-07-01T22:30'],
    ['Pacific/Chatham', '2026-01-01T00:00:00Z', '2026-01-01T13:45'],
    ['Pacific/Apia', '2011-12-30T09:59:00Z', '2011-12-29T23:59'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00:00'],
    ['US/Eastern', '2026-07-01T12:00:00Z', '2026-07-01T08:00'],
    ['Asia/Calcutta', '2026-07-01T12:00:00Z', '2026-07-01T17:30'],
    ['UTC', '2026-07-01T12:00:00Z', '2026-07-01T12:00'],
  ])('converts an instant to local time: %s, %s', (zone, time, expected) => {
    expect(local(zone, time)).toBe(expected);
  });

  it.each([
    ['an ordinary time', 'Europe/Berlin', '2026-07-01T12:00', '2026-07-01T10:00'],
    [
      'a skipped time, moved by the skipped hour',
      'Europe/Berlin',
      '2026-03-29T02:30',
      '2026-03-29T01:30',
    ],
    [
      'a repeated time, to its first occurrence',
      'Europe/Berlin',
      '2026-10-25T02:30',
      '2026-10-25T00:30',
    ],
    ['a skipped date, moved by a day', 'Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00'],
    ['the first time after a skipped date', 'Pacific/Apia', '2011-12-31T00:00', '2011-12-30T10:00'],
  ])('converts a local time to an instant: %s', (_, zone, time, expected) => {
    expect(instant(zone, time)).toBe(expected);
  });

  it.each(['Europe/berlin', 'Mars/Olympus', 'tzdata', 'Berlin', ''])(
    'cannot have the name %j',
    (name) => {
      expect(timeZone(name)).toBeUndefined();
    },
  );
});

it('every listed name is a time zone, and the list contains every name that Node.js knows', () => {
  const names = timeZoneNames();
  expect(names.filter((name) => timeZone(name) === undefined)).toEqual([]);
  expect(Intl.supportedValuesOf('timeZone').filter((name) => !names.includes(name))).toEqual([]);
});

it('the time zone data matches the installed version of moment-timezone (to update it, run `npm run zones`)', async () => {
  const read = (path: string) => readFile(path, 'utf8');
  const installed = 'node_modules/moment-timezone';
  const data = await read(`${installed}/data/packed/latest.json`);
  const source = zoneModule(data, await read(`${installed}/changelog.md`));
  expect(source === (await read('src/core/calendar/zones/tzdata.ts'))).toBe(true);
});
