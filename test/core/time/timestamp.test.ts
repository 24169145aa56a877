import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUtc, unixSeconds } from '../../../src/core/time/timestamp.ts';

describe('toUtc', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123456789Z'],
    ['2026-01-01T00:30:00+02:00', '2025-12-31T22:30:00Z'],
    ['2026-01-01T00:30:00.5-00:45', '2026-01-01T01:15:00.5Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['2017-01-01T05:29:60.5+05:30', '2017-01-01T00:00:00.5Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ])('converts %s to %s', (text, utc) => expect(toUtc(text)).toBe(utc));

  // RFC 3339 does not limit the number of digits, and some producers write twelve.
  it.each([
    ['2026-01-02T03:04:05.0123456789Z', '2026-01-02T03:04:05.012345678Z'],
    ['2026-01-02T03:04:05.999999999999Z', '2026-01-02T03:04:05.999999999Z'],
    ['2026-01-02T05:04:05.123456789012+02:00', '2026-01-02T03:04:05.123456789Z'],
  ])('truncates the fraction of %s to nine digits', (text, utc) => expect(toUtc(text)).toBe(utc));

  it('truncates a fraction with 250,000 digits', () => {
    expect(toUtc(`2026-01-02T03:04:05.5${'0'.repeat(250_000)}Z`)).toBe(
      '2026-01-02T03:04:05.500000000Z',
    );
  });

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T12:30:60Z',
    '2026-01-01T23:59:60+01:00',
    '2026-06-29T23:59:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00+25:00',
    '2026-01-01T00:00:00.Z',
    'yesterday',
    '',
    '1767225600',
    '0000-01-01T00:00:00+01:00',
    '+010000-01-01T00:00:00.000Z',
    '+010000-01-01T00:00Z',
    '-000001-01-01T00:00:00.000Z',
  ])('returns undefined for %j', (text) => expect(toUtc(text)).toBeUndefined());

  it.each([2023, 2024, 1900, 2000])('accepts exactly the days that exist in %i', (year) => {
    for (let month = 1; month <= 12; month++)
      for (let day = 1; day <= 31; day++) {
        const two = (part: number) => String(part).padStart(2, '0');
        const text = `${year}-${two(month)}-${two(day)}T00:00:00Z`;
        const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
        expect(toUtc(text)).toBe(isDay ? text : undefined);
      }
  });

  it('does not change any time that JavaScript formats', () => {
    const years = { min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(toUtc(date.toISOString())).toBe(date.toISOString());
      }),
    );
  });
});

describe('unixSeconds', () => {
  it('returns the whole seconds since 1970', () => {
    expect(unixSeconds('1970-01-01T00:00:01.999Z')).toBe(1);
    expect(unixSeconds('2016-07-28T22:21:59Z')).toBe(1469744519);
  });

  it('rejects text that is not a time', () => {
    expect(() => unixSeconds('tomorrow')).toThrow(
      'a time must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got "tomorrow"',
    );
  });
});
