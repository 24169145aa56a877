import { describe, expect, it } from 'vitest';
import { timeZone, timeZoneNames } from '../../src/core/calendar/zones/time-zone.ts';
import { LocalClock } from './support/local-clock.ts';

const fiveDays = 5 * 1440;
const minuteOf = (time: string) => Date.parse(time) / 60_000;

/**
 * Compares offsets every five days until 2025, because later offsets depend on the version of the time zone data in
 * Node.js 24, which is 2025b or later. Returns the times at which Node.js and Milepost disagree.
 */
function differences(zone: string): string[] {
  const clock = new LocalClock(zone);
  const compiled = timeZone(zone)!;
  const found: string[] = [];
  for (let at = minuteOf('1970-01-02'); at < minuteOf('2025-01-01'); at += fiveDays)
    if (compiled.toLocal(at * 60_000) !== clock.at(at) * 60_000)
      found.push(new Date(at * 60_000).toISOString());
  return found;
}

describe('the offsets of every time zone from 1970 to 2024', () => {
  it.each(timeZoneNames())('equal those of Node.js, every five days: %s', (zone) => {
    expect(differences(zone)).toEqual([]);
  });
});
