import { expect, it } from 'vitest';
import { oldZonesWarning } from '../../../../src/core/calendar/zones/old-data.ts';
import { tzdata } from '../../../../src/core/calendar/zones/tzdata.ts';

const released = Date.UTC(2025, 2, 22);
const day = 86_400_000;

it.each([
  [364, undefined],
  [
    366,
    'the calendars use version 2025b of the time zone data, released on 2025-03-22; update milepost to get the current data',
  ],
])(
  'oldZonesWarning warns only if the time zone data is more than a year old: %i days after its release',
  (days, warning) => {
    const bundle = 'var a="tzdata 2025b 2025-03-22\\nAfrica/Abidjan 0";';
    expect(oldZonesWarning(bundle, released + days * day)).toBe(warning);
  },
);

it('oldZonesWarning does not warn about a bundle without time zone data', () => {
  expect(oldZonesWarning('export const handler = 1;', Date.UTC(2999, 0))).toBeUndefined();
});

it("oldZonesWarning finds the version in Milepost's own time zone data", () => {
  expect(oldZonesWarning(tzdata, Date.UTC(2999, 0))).toMatch(/^the calendars use version \d{4}\w /);
});
