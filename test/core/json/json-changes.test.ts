import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonChanges } from '../../../src/core/json/json-changes.ts';
import { isSameJson } from '../../../src/core/json/same-json.ts';

const changes = (before: unknown, after: unknown) =>
  jsonChanges(before as never, after as never).toArray();

describe('changes between JSON values', () => {
  it('are reported at the innermost paths', () => {
    expect(changes({ a: { 'b/c': 1, '~': [1, 2] } }, { a: { 'b/c': 2, '~': [1, 3, 4] } })).toEqual([
      { path: ['a', 'b/c'], before: 1, after: 2 },
      { path: ['a', '~', 1], before: 2, after: 3 },
      { path: ['a', '~', 2], after: 4 },
    ]);
  });

  it('include added and removed members', () => {
    expect(changes({ gone: null }, { isNew: null })).toEqual([
      { path: ['isNew'], after: null },
      { path: ['gone'], before: null },
    ]);
  });

  it.each([
    [[], {}],
    [null, {}],
    [1, '1'],
  ])('are reported at the root if the types differ: %j and %j', (before, after) => {
    expect(changes(before, after)).toEqual([{ path: [], before, after }]);
  });

  it('do not include a different order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed());
        const [one, other] = [JSON.stringify(value), JSON.stringify(turned)];
        expect(isSameJson(one, other)).toBe(true);
        expect(changes(JSON.parse(one), JSON.parse(other))).toEqual([]);
      }),
    );
  });
});
