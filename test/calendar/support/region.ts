import { describe, expect, it } from 'vitest';
import { Chance } from '../../../src/common/chance.ts';
import { compare } from './compare.ts';
import { LocalClock } from './local-clock.ts';
import { zones } from './zones.ts';

const [calendarsPerWindow, casesPerCalendar] = [4, 120];

/**
 * Declares tests that compare calendars in the zones of a region with the oracle, at offset changes and other times.
 */
export function compareRegion(region: keyof typeof zones): void {
  describe(`calendars in ${region} agree with an oracle that examines each minute`, () => {
    it.each(zones[region])(
      'at every offset change and at three random times from 1990 to 2040: %s',
      (zone) => {
        const chance = new Chance(2040);
        const anyMinutes = Array.from({ length: 3 }, () =>
          chance.whole(Date.UTC(1990, 1) / 60_000, Date.UTC(2040, 0) / 60_000),
        );
        const around = [...new LocalClock(zone).changes(1990, 2041), ...anyMinutes];
        const result = compare({ zone, seed: 1, around, calendarsPerWindow, casesPerCalendar });
        const windows = around.length - result.otherOffsets;
        expect(result.differences).toEqual([]);
        expect(result.cases).toBeGreaterThan(0.7 * windows * calendarsPerWindow * casesPerCalendar);
        // Node.js can have a different version of the time zone data. In this case, only a few windows differ.
        expect(result.otherOffsets).toBeLessThan(6);
      },
    );
  });
}
