import { describe, expect, it } from 'vitest';
import { eventTimeOf } from '../../../src/core/time/event-time.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';

const at = (hours: number) => toIso(Date.UTC(2026, 0, 10) + hours * 3_600_000);

describe('the event time of an event', () => {
  it('is the `time` of the event', () => {
    expect(eventTimeOf(at(-48), at(0))).toBe(at(-48));
  });

  it('is never later than the commit', () => {
    expect(eventTimeOf(at(1), at(0))).toBe(at(0));
    expect(eventTimeOf('9999-12-31T23:59:59.999999999Z', at(0))).toBe(at(0));
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.100Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ])('has millisecond precision: %s', (time, milliseconds) => {
    expect(eventTimeOf(time, at(0))).toBe(milliseconds);
  });
});
