import { describe, expect, it } from 'vitest';
import { findNonJson } from '../../../src/core/json/non-json.ts';

describe('findNonJson', () => {
  it.each([
    [{ a: { b: Number.NaN } }, 'state.a.b is NaN'],
    [{ a: [1, Number.POSITIVE_INFINITY] }, 'state.a[1] is Infinity'],
    [{ at: new Date(0) }, 'state.at is a Date'],
    [{ f: () => 1 }, 'state.f is a function'],
    [{ n: 1n }, 'state.n is a bigint'],
    [new Map(), 'state is a Map'],
    [undefined, 'state is undefined'],
    [[undefined], 'state[0] is undefined'],
  ])('finds the value in %o that JSON would change', (value, found) => {
    expect(findNonJson(value)).toBe(found);
  });

  it('finds nothing in a JSON value and ignores undefined properties', () => {
    expect(findNonJson({ a: [1, 'x', null, true, { b: undefined }] })).toBeUndefined();
  });
});
