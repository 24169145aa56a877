import { describe, expect, it } from 'vitest';
import { wholePercent } from '../../web/pure/whole-percent.ts';

describe('the displayed percentage', () => {
  it.each([
    [0, 0],
    [0.29, 29],
    [0.57, 57],
    [0.99, 99],
    [1, 100],
  ])('for a progress of %d is %d', (progress, percent) => {
    expect(wholePercent(progress)).toBe(percent);
  });
});
