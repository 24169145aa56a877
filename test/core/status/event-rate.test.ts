import { describe, expect, it } from 'vitest';
import { lastMinutes, minuteOf } from '../../../src/core/status/event-rate.ts';

describe('lastMinutes', () => {
  it('returns every minute up to now with its counts, even across midnight', () => {
    const counts = [
      { minute: '2026-01-01T23:59:00.000Z', events: 2 },
      { minute: '2026-01-02T00:01:00.000Z', events: 1 },
      { minute: '2026-01-01T23:59:00.000Z', events: 3 },
      { minute: '2026-01-01T23:57:00.000Z', events: 9 },
    ];
    expect(lastMinutes(counts, 4, Date.parse('2026-01-02T00:01:59.999Z'))).toEqual([
      { minute: '2026-01-01T23:58:00.000Z', events: 0 },
      { minute: '2026-01-01T23:59:00.000Z', events: 5 },
      { minute: '2026-01-02T00:00:00.000Z', events: 0 },
      { minute: '2026-01-02T00:01:00.000Z', events: 1 },
    ]);
  });
});

it('minuteOf returns the start of the minute', () => {
  expect(minuteOf('2026-01-01T23:59:58.123Z')).toBe('2026-01-01T23:59:00.000Z');
});
