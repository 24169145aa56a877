import { describe, expect, it } from 'vitest';
import { latenessAt, latenessSince } from '../../../src/core/deadline/lateness.ts';

const expectedBy = '2026-01-01T12:00:00.000Z';

describe('the lateness of a reached milestone', () => {
  it('is the exact elapsed time', () => {
    expect(latenessAt(expectedBy, '2026-01-02T14:30:01.5Z')).toBe('P1DT2H30M1.5S');
  });

  it('is undefined if the milestone was reached on time or has no deadline', () => {
    expect(latenessAt(expectedBy, expectedBy)).toBeUndefined();
    expect(latenessAt(undefined, expectedBy)).toBeUndefined();
  });
});

describe('the lateness of an open milestone', () => {
  const after = (seconds: number) =>
    latenessSince(expectedBy, Date.parse(expectedBy) + seconds * 1000);

  it.each([
    [0, 'PT0S'],
    [59.9, 'PT59S'],
    [60, 'PT1M'],
    [3_659, 'PT1H'],
    [86_400, 'P1D'],
    [93_784, 'P1DT2H3M'],
  ])('after %d seconds is %s', (seconds, expected) => {
    expect(after(seconds)).toBe(expected);
  });
});
