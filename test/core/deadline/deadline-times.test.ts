import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeadlineFacts, deadlineTimes } from '../../../src/core/deadline/deadline-times.ts';
import { pausesBetween } from '../../../src/core/deadline/pauses.ts';
import { daytime } from '../../support/daytime-calendar.ts';

const start = '2026-01-05T09:00:00.000Z';
const at = (time: string) => `2026-01-${time}:00.000Z`;
const due = (facts: DeadlineFacts) => deadlineTimes({ start, within: 'PT8H', ...facts });

describe('a deadline', () => {
  it('is its start plus its duration', () => {
    expect(due({})).toEqual({ expectedBy: at('05T17:00') });
    expect(due({ within: 'P1DT1H' })).toEqual({ expectedBy: at('06T10:00') });
  });

  it('counts the open time of a calendar', () => {
    expect(due({ calendar: daytime }).expectedBy).toBe(at('05T17:00'));
    expect(due({ calendar: daytime, within: 'PT9H' }).expectedBy).toBe(at('06T10:00'));
    expect(due({ calendar: daytime, start: at('05T20:00') }).expectedBy).toBe(at('06T17:00'));
  });

  it('does not exist if it has no start, or if it has neither a duration nor a date', () => {
    expect(due({ start: undefined })).toEqual({});
    expect(due({ within: undefined })).toEqual({});
  });

  it('cannot be computed from an invalid duration', () => {
    expect(() => due({ within: 'soon' })).toThrow('"soon" is not an ISO 8601 duration');
  });
});

describe('the time from which a milestone is at risk', () => {
  it('is the start plus the configured share of the time until the deadline', () => {
    expect(due({ warnAt: 0.75 }).atRiskAt).toBe(at('05T15:00'));
  });

  it('is the start plus the configured share of the open time if there is a calendar', () => {
    const times = due({ calendar: daytime, within: 'PT16H', warnAt: 0.75 });
    expect(times).toEqual({ atRiskAt: at('06T13:00'), expectedBy: at('06T17:00') });
  });

  it('moves if an extension moves the deadline', () => {
    const extensions = [{ time: start, by: 'PT8H' }];
    expect(due({ warnAt: 0.5, extensions }).atRiskAt).toBe(at('05T17:00'));
  });

  it('does not exist if the deadline is earlier than its start', () => {
    const extensions = [{ time: start, until: at('05T08:00') }];
    expect(due({ warnAt: 0.5, extensions })).toEqual({ expectedBy: at('05T08:00') });
  });
});

describe('a pause', () => {
  const paused = (from: string, until?: string) => ({
    pauses: [{ from: at(from), ...(until && { until: at(until) }) }],
  });

  it('moves the deadline by its length', () => {
    expect(due(paused('05T10:00', '05T12:00')).expectedBy).toBe(at('05T19:00'));
  });

  it('moves the deadline only by its open time', () => {
    const calendar = daytime;
    expect(due({ calendar, ...paused('05T16:00', '06T10:00') }).expectedBy).toBe(at('06T11:00'));
    expect(due({ calendar, ...paused('05T18:00', '05T20:00') }).expectedBy).toBe(at('05T17:00'));
  });

  it('that has not ended leaves the milestone without an expected time', () => {
    expect(due({ warnAt: 0.5, ...paused('05T10:00') })).toEqual({ paused: true });
  });

  it('does not move the time from which the milestone was already at risk', () => {
    const times = due({ warnAt: 0.5, ...paused('05T14:00') });
    expect(times).toEqual({ atRiskAt: at('05T13:00'), paused: true });
  });

  it('that begins after the deadline has no effect', () => {
    expect(due(paused('05T17:01')).expectedBy).toBe(at('05T17:00'));
    expect(due(paused('05T17:01', '05T18:00')).expectedBy).toBe(at('05T17:00'));
    expect(due(paused('05T17:00', '05T18:00')).expectedBy).toBe(at('05T18:00'));
  });

  it('that begins in the time that an earlier pause added moves the deadline further', () => {
    const pauses = pausesBetween(
      [at('05T16:00'), at('05T17:30')],
      [at('05T17:00'), at('05T18:00')],
    );
    expect(due({ pauses }).expectedBy).toBe(at('05T18:30'));
  });

  it('that begins before the start of the deadline is counted only from that start', () => {
    expect(due(paused('05T07:00', '05T10:00')).expectedBy).toBe(at('05T18:00'));
    expect(due(paused('05T07:00', '05T08:00')).expectedBy).toBe(at('05T17:00'));
    expect(due(paused('05T07:00'))).toEqual({ paused: true });
  });
});

describe('an extension', () => {
  it('adds elapsed time or, with a calendar, open time', () => {
    const extensions = [{ time: at('05T10:00'), by: 'PT4H' }];
    expect(due({ extensions }).expectedBy).toBe(at('05T21:00'));
    expect(due({ extensions, calendar: daytime }).expectedBy).toBe(at('06T13:00'));
  });

  it('can set a new date, which replaces earlier extensions and which later extensions move', () => {
    const extensions = [
      { time: at('05T10:00'), by: 'PT4H' },
      { time: at('05T11:00'), until: at('09T12:00') },
      { time: at('05T12:00'), by: 'PT1H' },
    ];
    expect(due({ extensions }).expectedBy).toBe(at('09T13:00'));
  });

  it('with a new date ignores pause time before the extension', () => {
    const extensions = [{ time: at('05T12:00'), until: at('09T12:00') }];
    const pauses = pausesBetween([at('05T10:00')], [at('05T13:00')]);
    expect(due({ extensions, pauses }).expectedBy).toBe(at('09T13:00'));
  });

  it('with a new date requires a start but no duration', () => {
    const extensions = [{ time: at('05T12:00'), until: at('09T12:00') }];
    expect(due({ within: undefined, extensions }).expectedBy).toBe(at('09T12:00'));
    expect(due({ start: undefined, within: undefined, extensions })).toEqual({});
  });
});

describe('the facts of a deadline', () => {
  const time = fc
    .integer({ min: 0, max: 200 })
    .map((quarters) => new Date(Date.parse(start) + quarters * 900_000).toISOString());
  const extension = fc.oneof(
    fc.record({ time, by: fc.constantFrom('PT1H', 'PT90M') }),
    fc.record({ time, until: time }),
  );

  it('result in the same deadline in any order', () => {
    const facts = fc.record({
      from: fc.array(time, { maxLength: 5 }),
      until: fc.array(time, { maxLength: 5 }),
      extensions: fc.array(extension, { maxLength: 4 }),
      calendar: fc.constantFrom(undefined, daytime),
    });
    fc.assert(
      fc.property(facts, fc.infiniteStream(fc.nat()), ({ from, until, ...rest }, random) => {
        const shuffled = <Item>(items: readonly Item[]): Item[] =>
          items
            .map((item) => ({ item, place: random.next().value }))
            .toSorted((a, b) => a.place - b.place)
            .map(({ item }) => item);
        const times = due({ ...rest, warnAt: 0.5, pauses: pausesBetween(from, until) });
        const again = due({
          ...rest,
          extensions: shuffled(rest.extensions),
          warnAt: 0.5,
          pauses: pausesBetween(shuffled(from), shuffled(until)),
        });
        expect(again).toEqual(times);
        expect(times.paused === undefined).toBe(times.expectedBy !== undefined);
      }),
    );
  });
});

describe('deadlineTimes', () => {
  const message =
    'a time must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got "soon"';

  it.each([
    ['a start', { start: 'soon', within: 'PT8H' }],
    [
      'a new deadline',
      {
        start: '2026-01-01T00:00:00Z',
        extensions: [{ time: '2026-01-01T00:00:00Z', until: 'soon' }],
      },
    ],
  ])('throws an error that quotes %s that is not a time', (_, facts) => {
    expect(() => deadlineTimes(facts)).toThrow(new RangeError(message));
  });
});
