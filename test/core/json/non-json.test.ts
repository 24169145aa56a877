import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { findNonJson } from '../../../src/core/json/non-json.ts';

/** Creates an object that contains an object, and so on, with the given number of objects. */
const nested = (levels: number): object =>
  Array.from({ length: levels - 1 }).reduce<object>((inner) => ({ previous: inner }), {});

describe('findNonJson', () => {
  it.each([
    [{ a: { b: Number.NaN } }, 'state.a.b is NaN'],
    [{ a: [1, Number.POSITIVE_INFINITY] }, 'state.a[1] is Infinity'],
    [{ 'a name': { b: Number.NaN } }, 'state["a name"].b is NaN'],
    [{ at: new Date(0) }, 'state.at is a Date'],
    [{ f: () => 1 }, 'state.f is a function'],
    [{ n: 1n }, 'state.n is a bigint'],
    [new Map(), 'state is a Map'],
    [undefined, 'state is undefined'],
    [[undefined], 'state[0] is undefined'],
    [new Error('x'), 'state is an Error'],
    [
      {
        price: new (class {
          sum = 1;
        })(),
      },
      'state.price is a class instance',
    ],
  ])('finds the value in %o that JSON would change', (value, found) => {
    expect(findNonJson(value)).toBe(found);
  });

  it('finds a circular reference', () => {
    const claim = { parts: [{}, { claim: {} }] };
    claim.parts[1]!.claim = claim;
    expect(findNonJson(claim)).toBe('state.parts[1].claim is a circular reference');
  });

  it.each([201, 100_000])('finds a value that is nested %i levels deep', (levels) => {
    expect(findNonJson(nested(levels))).toBe('state is nested more than 200 levels deep');
  });

  it('finds nothing in a value that is nested 200 levels deep', () => {
    expect(findNonJson(nested(200))).toBeUndefined();
  });

  it('finds nothing in plain objects from another realm, but finds their Dates', () => {
    expect(findNonJson(runInNewContext('({ a: [{ b: 1 }] })'))).toBeUndefined();
    expect(findNonJson(runInNewContext('({ at: new Date(0) })'))).toBe('state.at is a Date');
  });

  it('finds nothing in a JSON value and ignores undefined properties', () => {
    expect(findNonJson({ a: [1, 'x', null, true, { b: undefined }] })).toBeUndefined();
  });
});
