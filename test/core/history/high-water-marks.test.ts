import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgedHighWaterMarks,
  isAboveHighWaterMark,
  raiseHighWaterMarks,
} from '../../../src/core/history/high-water-marks.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';

const onDay = (day: number) => toIso(Date.UTC(2026, 0, 1) + day * 86_400_000);

describe('isAboveHighWaterMark', () => {
  const marks = { s: '49600000000000000000000000000000000000000000000000000009' };
  const sequence = (last: string) =>
    `4960000000000000000000000000000000000000000000000000000${last}`;

  it.each([
    [false, 's', sequence('8')],
    [false, 's', sequence('9')],
    [true, 's', `${sequence('1')}0`],
    [true, 's', '49600000000000000000000000000000000000000000000000000010'],
    [false, 's', '5'],
    [true, 't', '5'],
  ])('returns %s for shard %s and sequence number %s', (expected, shard, place) => {
    expect(isAboveHighWaterMark(marks, { shard, sequence: place })).toBe(expected);
  });
});

describe('raiseHighWaterMarks', () => {
  const positions = (day: number, shards: readonly string[]) =>
    shards.map((shard) => ({ shard, sequence: String(5 + day) }));
  const raisedOn = (
    day: number,
    before: AgedHighWaterMarks & { at: string },
    ...shards: string[]
  ) => ({
    ...raiseHighWaterMarks(before, positions(day, shards), onDay(day)),
    at: onDay(day),
  });
  const first = {
    ...raiseHighWaterMarks(undefined, positions(0, ['a', 'b']), onDay(0)),
    at: onDay(0),
  };

  it('records the age of a mark that a commit does not raise', () => {
    expect(first).toEqual({ highWaterMarks: { a: '5', b: '5' }, at: onDay(0) });
    const second = raiseHighWaterMarks(first, [{ shard: 'a', sequence: '7' }], onDay(3));
    const day = Date.parse(onDay(0)) / 86_400_000;
    expect(second).toEqual({ highWaterMarks: { a: '7', b: '5' }, highWaterMarkDays: { b: day } });
  });

  it('drops the mark of a closed shard after its records have expired', () => {
    const year = raisedOn(365, first, 'c');
    expect(Object.keys(year.highWaterMarks)).toEqual(['a', 'b', 'c']);
    const later = raisedOn(367, year, 'c');
    expect(Object.keys(later.highWaterMarks)).toEqual(['c']);
    expect(later).not.toHaveProperty('highWaterMarkDays');
  });

  it('keeps no more marks than there were shards within the last year, no matter how often shards are split', () => {
    let marks = first;
    for (let day = 30; day < 30 * 365; day += 30) marks = raisedOn(day, marks, `shard-${day}`);
    expect(Object.keys(marks.highWaterMarks).length).toBeLessThanOrEqual(13);
  });

  it('keeps the marks of all records that a stream with a retention of 365 days can redeliver', () => {
    const commit = fc.record({
      daysLater: fc.integer({ min: 0, max: 250 }),
      events: fc.array(
        fc.record({
          shard: fc.constantFrom('a', 'b', 'c'),
          /** The number of later records that have already arrived. */
          back: fc.integer({ min: 0, max: 3 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    });
    fc.assert(
      fc.property(fc.array(commit, { maxLength: 20 }), (commits) => {
        let before: (AgedHighWaterMarks & { at: string }) | undefined;
        let day = 0;
        // The arrival day of each record by sequence number. A shard delivers its records in order, so days never decrease.
        const cameOn = [day, day, day];
        const applied: { shard: string; sequence: string }[] = [];
        for (const { daysLater, events } of commits) {
          day += daysLater;
          const came = events.map(({ shard, back }) => {
            cameOn.push(day);
            return { shard, sequence: String(cameOn.length - 1 - back) };
          });
          applied.push(...came);
          before = { ...raiseHighWaterMarks(before, came, onDay(day)), at: onDay(day) };
          const { highWaterMarks: marks } = before;
          const kept = applied.filter(({ sequence }) => day - cameOn[Number(sequence)]! <= 365);
          expect(kept.filter((position) => isAboveHighWaterMark(marks, position))).toEqual([]);
        }
      }),
    );
  });
});
