import { describe, expect, it } from 'vitest';
import { pausesBetween } from '../../../src/core/deadline/pauses.ts';

const at = (hour: number) => `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`;
const paused = (from: readonly number[], until: readonly number[]) =>
  pausesBetween(from.map(at), until.map(at)).map((pause) => [
    Number(pause.from.slice(11, 13)),
    ...(pause.until === undefined ? [] : [Number(pause.until.slice(11, 13))]),
  ]);

describe('pauses', () => {
  it.each<[what: string, from: number[], until: number[], expected: number[][]]>([
    [
      'end with the next event that ends pauses',
      [1, 4],
      [2, 6],
      [
        [1, 2],
        [4, 6],
      ],
    ],
    [
      'are determined by the times of the events, not by their order',
      [4, 1],
      [6, 2],
      [
        [1, 2],
        [4, 6],
      ],
    ],
    ['continue if no event ends them', [1, 4], [2], [[1, 2], [4]]],
    ['do not begin again before they end', [1, 2], [3, 4], [[1, 3]]],
    ['are not ended by an event before their start', [3], [1, 2], [[3]]],
    ['have no length if they end when they begin', [1], [1], [[1, 1]]],
    ['do not exist without events', [], [], []],
  ])('%s', (_, from, until, expected) => {
    expect(paused(from, until)).toEqual(expected);
  });

  it('are determined by exact times, including fractions of a second', () => {
    const [from, until] = ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.25Z'];
    expect(pausesBetween([from], [until])).toEqual([{ from }]);
    expect(pausesBetween([until], [from])).toEqual([{ from: until, until: from }]);
  });
});
