import { describe, expect, it } from 'vitest';
import { after, durationMilliseconds } from '../../../src/core/time/duration.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('durationMilliseconds', () => {
  it.each([
    ['PT30S', 30_000],
    ['PT90M', 90 * minute],
    ['PT48H', 2 * day],
    ['P7D', 7 * day],
    ['P2W', 14 * day],
    ['P1W2DT3H4M5S', 9 * day + 184 * minute + 5_000],
    ['PT0.25S', 250],
    ['PT1,5H', 90 * minute],
    ['PT0.0004S', 0],
    ['PT0S', 0],
    ['P0D', 0],
    ['P0Y1D', day],
  ])('parses %s', (duration, milliseconds) => {
    expect(durationMilliseconds(duration)).toBe(milliseconds);
  });

  it.each(['P1Y', 'P2M', 'P1Y2M3D', 'P0.5Y'])(
    'rejects %s, which has no fixed length',
    (duration) => {
      expect(() => durationMilliseconds(duration)).toThrow(
        new RangeError(`${duration}: years and months have no fixed length; use days`),
      );
    },
  );

  it('rejects negative durations', () => {
    expect(() => durationMilliseconds('-PT5S')).toThrow(
      new RangeError('-PT5S is negative; use a duration of at least 0'),
    );
  });

  it.each([
    '',
    'P',
    'PT',
    'P1DT',
    '30',
    '30 seconds',
    'pt30s',
    'PT-5S',
    'P-1D',
    'PT30',
    'PT1.S',
    'PT.5S',
    // Parts that are repeated or in the wrong order must not be ignored.
    'PT30M5H',
    'PT5SPT5S',
    'in PT30S',
    'PT30S or so',
    'PT30S\n',
  ])('rejects %j', (duration) => {
    const message = `${JSON.stringify(duration)} is not an ISO 8601 duration, such as P2D or PT8H`;
    expect(() => durationMilliseconds(duration)).toThrow(new RangeError(message));
  });
});

describe('after(time, duration)', () => {
  it.each([
    ['2026-01-01T00:00:00Z', 'PT30S', '2026-01-01T00:00:30.000Z'],
    ['2026-01-01T00:00:00.123456789Z', 'PT1S', '2026-01-01T00:00:01.123Z'],
    ['2026-02-28T23:00:00+01:00', 'P1D', '2026-03-01T22:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 'PT0.001S', '2027-01-01T00:00:00.000Z'],
  ])('adds the duration to the time: %s and %s', (time, duration, moment) => {
    expect(after(time, duration)).toBe(moment);
  });

  it('never exceeds the last time that RFC 3339 can represent', () => {
    const end = '9999-12-31T23:59:59.999Z';
    expect(after('9999-12-31T00:00:00Z', 'P2D')).toBe(end);
    expect(after('2026-01-01T00:00:00Z', `P${'9'.repeat(30)}D`)).toBe(end);
    expect(after('2026-01-01T00:00:00Z', `P${'9'.repeat(400)}W`)).toBe(end);
  });

  it.each(['tomorrow', ''])('rejects %j, which is not a time', (time) => {
    expect(() => after(time, 'PT1H')).toThrow(
      new RangeError(
        `a time must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got ${JSON.stringify(time)}`,
      ),
    );
  });
});
