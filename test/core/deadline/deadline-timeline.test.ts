import { describe, expect, it } from 'vitest';
import type { Calendar } from '../../../src/core/calendar/calendar.ts';
import { defineCalendar } from '../../../src/core/calendar/define-calendar.ts';
import { deadlineTimeline } from '../../../src/core/deadline/deadline-timeline.ts';
import { daytime } from '../../support/daytime-calendar.ts';

/** A time in January 2026, such as `05T09:00`. January 5 is a Monday. */
const at = (time: string) => `2026-01-${time}:00.000Z`;
const span = (from: string, until: string) => ({ from: at(from), until: at(until) });
const start = at('05T09:00');

describe('the timeline of a deadline', () => {
  it('extends from its start to the deadline', () => {
    expect(deadlineTimeline({ start, within: 'PT4H' }, at('05T10:00'))).toEqual({
      start,
      end: at('05T13:00'),
      pauses: [],
      closed: [],
    });
  });

  it('extends past the deadline if the milestone is late', () => {
    expect(deadlineTimeline({ start, within: 'PT4H' }, at('06T10:00'))?.end).toBe(at('06T10:00'));
  });

  it('contains the spans during which the calendar is closed', () => {
    const timeline = deadlineTimeline(
      { start, within: 'PT12H', calendar: daytime },
      at('05T10:00'),
    )!;
    expect(timeline.end).toBe(at('06T13:00'));
    expect(timeline.closed).toEqual([span('05T17:00', '06T09:00')]);
  });

  it('contains the pauses, cut off at the start and the end of the timeline', () => {
    const pauses = [span('05T07:00', '05T10:00'), { from: at('05T11:00') }];
    expect(deadlineTimeline({ start, within: 'PT4H', pauses }, at('05T12:00'))).toEqual({
      start,
      end: at('05T12:00'),
      pauses: [span('05T09:00', '05T10:00'), span('05T11:00', '05T12:00')],
      closed: [],
    });
  });

  it('omits closed spans if there are too many to distinguish', () => {
    const year = { start, within: 'PT8H', calendar: daytime };
    expect(deadlineTimeline(year, '2027-01-05T09:00:00.000Z')!.closed).toEqual([]);
  });

  it('reads only the first 366 days of the calendar if those days contain too many closed spans, even if the deadline is in the year 9999', () => {
    const asked: string[] = [];
    const calendar: Calendar = {
      ...daytime,
      openIntervals(from, until) {
        asked.push(until);
        return daytime.openIntervals(from, until);
      },
    };
    const extensions = [{ time: start, until: '9999-12-31T23:59:59.999Z' }];
    const timeline = deadlineTimeline({ start, calendar, extensions }, at('05T10:00'))!;
    expect(timeline.end).toBe('9999-12-31T23:59:59.999Z');
    expect(timeline.closed).toEqual([]);
    expect(asked).toEqual(['2027-01-06T09:00:00.000Z']);
  });

  it('contains the closed spans of many years if there are only a few', () => {
    const rarely = defineCalendar({
      timeZone: 'UTC',
      hours: {},
      exceptions: { '2030-01-01': ['00:00-24:00'], '2040-01-01': ['00:00-24:00'] },
    });
    const end = '2050-01-01T00:00:00.000Z';
    expect(deadlineTimeline({ start, within: 'PT36H', calendar: rarely }, end)!.closed).toEqual([
      { from: start, until: '2030-01-01T00:00:00.000Z' },
      { from: '2030-01-02T00:00:00.000Z', until: '2040-01-01T00:00:00.000Z' },
      { from: '2040-01-02T00:00:00.000Z', until: end },
    ]);
  });

  it.each([
    ['has not started', { within: 'PT4H' }],
    ['does not exist', { start }],
  ])('is undefined if the deadline %s', (_, facts) => {
    expect(deadlineTimeline(facts, at('05T12:00'))).toBeUndefined();
  });
});
