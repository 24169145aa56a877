import { describe, expect, it } from 'vitest';
import { chartTop } from '../../web/pure/chart-top.ts';

const hour = (...values: number[]) => [...values, ...Array<number>(60 - values.length).fill(0)];

describe('the top of a chart', () => {
  it.each([
    ['the maximum of similar values', hour(10, 12, 9), 12],
    ['the maximum if it is a few times the usual value', hour(10, 12, 9, 70), 70],
    ['twice the usual value if one value would flatten the others', hour(12_000, 14, 10, 12), 28],
    ['the only value', hour(12_000), 12_000],
    ['1 if there are no values', hour(), 1],
  ])('is %s', (_, values, top) => {
    expect(chartTop(values)).toBe(top);
  });
});
