import { expect, it } from 'vitest';
import { compare } from '../../calendar/support/compare.ts';

const minute = (time: string) => Date.parse(time) / 60_000;

/** A small sample of the cases in `npm run test:calendar`. */
it.each([
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'],
  ['America/St_Johns', '2001-04-01T03:31:00Z', '2001-10-28T02:31:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-10-03T15:30:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2012-03-31T14:00:00Z'],
])('random calendars agree with an oracle that checks each minute: %s', (zone, ...times) => {
  const around = times.map(minute);
  const result = compare({ zone, seed: 2026, around, calendarsPerWindow: 5, casesPerCalendar: 60 });
  expect(result.differences).toEqual([]);
  expect(result.cases).toBeGreaterThan(400);
  expect(result.otherOffsets).toBe(0);
});
