import { describe, expect, it } from 'vitest';
import { bar, localTime, percent, relativeTime } from '../../../src/cli/output/format.ts';

describe('a printed time', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');

  it.each([
    ['2026-03-01T12:00:00Z', 'now'],
    ['2026-03-01T11:59:18Z', '42s ago'],
    ['2026-03-01T12:01:59Z', 'in 1m'],
    ['2026-03-01T09:00:01Z', '2h ago'],
    ['2026-03-03T11:59:59Z', 'in 47h'],
    ['2026-03-03T12:00:00Z', 'in 2d'],
    ['2026-02-20T12:00:00Z', '9d ago'],
    ['soon', 'soon'],
  ])('for %j is %j', (time, said) => {
    expect(relativeTime(time, now)).toBe(said);
  });

  it('uses the local time zone', () => {
    const time = '2026-03-01T12:00:07.123Z';
    const said = localTime(time);
    expect(said).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:07$/);
    expect(Math.trunc(Date.parse(time) / 1000)).toBe(Date.parse(said) / 1000);
  });
});

describe('a printed percentage', () => {
  it.each([
    [0, '0%', '░░░░'],
    [0.29, '29%', '█░░░'],
    [0.999, '99%', '███░'],
    [1, '100%', '████'],
  ])('of %d is %s', (share, said, drawn) => {
    expect([percent(share), bar(share, 4)]).toEqual([said, drawn]);
  });
});
