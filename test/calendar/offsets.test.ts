import { describe, expect, it } from 'vitest';
import { timeZone, timeZoneNames } from '../../src/core/calendar/zones/time-zone.ts';
import { LocalClock } from './support/local-clock.ts';

const fiveDays = 5 * 1440;
const minuteOf = (time: string) => Date.parse(time) / 60_000;

/** Returns the times, five days apart, at which Node.js has another offset than Milepost. */
function differences(zone: string): string[] {
  const clock = new LocalClock(zone);
  const compiled = timeZone(zone)!;
  const found: string[] = [];
  for (let at = minuteOf('1970-01-02'); at < minuteOf('2050-12-31'); at += fiveDays)
    if (compiled.toLocal(at * 60_000) !== clock.at(at) * 60_000)
      found.push(new Date(at * 60_000).toISOString());
  return found;
}

describe('the offsets of every time zone from 1970 to 2050', () => {
  it.each(timeZoneNames())('are those of Node.js, up to the changes of newer data: %s', (zone) => {
    // The oldest version of the data that Node.js 24 contains is 2025b.
    expect(differences(zone).filter((time) => time < '2025')).toEqual([]);
  });
});
