import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type TimedEntry,
  type TimedStatus,
  timesAfter,
} from '../../../src/core/history/instance-times.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';

const start = Date.UTC(2026, 0, 10);
const at = (hours: number) => toIso(start + hours * 3_600_000);

const entry = (status: string, hours: number): TimedEntry => ({
  event: { time: at(hours), type: 'moved', source: 'test' },
  outcome: 'applied',
  status,
});
const fired = (status: string, hours: number): TimedEntry => ({
  ...entry(status, hours),
  event: { time: at(hours), type: 'timer.fired', source: 'milepost:clock' },
});
const rejected = (status: string, hours: number): TimedEntry => ({
  ...entry(status, hours),
  outcome: 'rejected',
});

/** Returns the times after the given entries, all of which are recorded at hour 100. */
const timesOf = (...entries: TimedEntry[]) => recordedAt(at(100), entries);

function recordedAt(recorded: string, entries: readonly TimedEntry[]): TimedStatus {
  let times: TimedStatus | undefined;
  for (const each of entries) times = timesAfter(times, each, recorded);
  return times!;
}

describe('the times of an instance', () => {
  it('start with the earliest event, even if it arrives late', () => {
    expect(timesOf(entry('Paid', 5), entry('Paid', 2), entry('Paid', 7)).startedAt).toBe(at(2));
  });

  it('have the same start for any order of arrival', () => {
    const entries = fc.array(
      fc.record({
        event: fc.record({
          time: fc.integer({ min: -500, max: 500 }).map(at),
          type: fc.constant('moved'),
          source: fc.constant('test'),
        }),
        outcome: fc.constantFrom('applied' as const, 'rejected' as const),
        status: fc.constantFrom('A', 'B'),
      }),
      { minLength: 1 },
    );
    const permuted = entries.chain((some) =>
      fc.tuple(
        fc.constant(some),
        fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length }),
      ),
    );
    fc.assert(
      fc.property(permuted, ([some, others]) => {
        expect(timesOf(...some).startedAt).toBe(timesOf(...others).startedAt);
      }),
    );
  });

  it('do not start with a timer that was due before the first event', () => {
    const times = timesOf(entry('Open', 5), fired('Late', 2));
    expect(times).toMatchObject({ startedAt: at(5), statusSince: at(2) });
  });

  it('take the time of the status from the event that set it', () => {
    const times = timesOf(entry('Open', 1), entry('Paid', 3), entry('Paid', 4));
    expect(times.statusSince).toBe(at(3));
  });

  it('take the time of a status that was left and set again from the last event that set it', () => {
    const times = timesOf(entry('Open', 1), entry('Paid', 3), entry('Open', 4));
    expect(times.statusSince).toBe(at(4));
  });

  it('ignore the times of rejected events', () => {
    const times = timesOf(entry('Open', 5), rejected('Open', 1));
    expect(times).toMatchObject({ startedAt: at(5), statusSince: at(5) });
  });

  it('start with the first applied event after rejected events', () => {
    expect(timesOf(rejected('Open', 1)).startedAt).toBeNull();
    const times = timesOf(rejected('Open', 1), entry('Open', 5));
    expect(times).toMatchObject({ startedAt: at(5), statusSince: at(5) });
  });

  it('are never later than the record time', () => {
    const times = recordedAt(at(0), [entry('Open', 24), entry('Paid', 48)]);
    expect(times).toMatchObject({ startedAt: at(0), statusSince: at(0) });
  });
});
