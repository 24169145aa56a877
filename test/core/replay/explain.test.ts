import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/json/json.ts';
import { type JsonPath, pathIn, pointerOf, valueAt } from '../../../src/core/json/json-pointer.ts';
import { type Explanation, explain } from '../../../src/core/replay/explain.ts';

/** States in chronological order. Change n led to the state at index n. */
type States = readonly [Json, ...Json[]];

/** Explains `part` by the changes from `from` back to `to`. Change `to` is not included unless it is 0. */
function look(states: States, from: number, to: number, part: JsonPath = []): Explanation<number> {
  const explained = explain<number>(states[from]!, part);
  for (let change = from; change > to; change--) explained.stepBack(states[change - 1], change);
  if (to === 0) explained.stepBack(undefined, 0);
  return explained;
}

const whole = (states: States, part?: string) =>
  Object.fromEntries(
    look(states, states.length - 1, 0, pathIn(part ?? ''))
      .fields()
      .map(({ path, setBy }) => [pointerOf(path), setBy]),
  );

describe('explain', () => {
  it.each<[string, States, Record<string, number>]>([
    ['the first change', [{ a: 1 }], { '/a': 0 }],
    [
      'the latest change of each field',
      [{ a: 1 }, { a: 1, b: 1 }, { a: 2, b: 1 }],
      { '/a': 2, '/b': 1 },
    ],
    ['a value that changed and changed back', [{ a: 1 }, { a: 2 }, { a: 1 }], { '/a': 2 }],
    ['a field that was removed and added again', [{ a: 1 }, {}, { a: 1 }], { '/a': 2 }],
    ['changes without an effect', [{ a: 1 }, { a: 1 }, { a: 1 }], { '/a': 0 }],
    [
      'a value that became empty',
      [
        { a: { b: 1 }, c: [1] },
        { a: {}, c: [] },
      ],
      { '/a': 1, '/c': 1 },
    ],
    [
      'a value that stayed empty',
      [
        { a: {}, b: [] },
        { a: {}, b: [] },
      ],
      { '/a': 0, '/b': 0 },
    ],
    ['an empty value of another type', [{ a: {} }, { a: [] }], { '/a': 1 }],
    ['null, which is a value', [{ a: {} }, { a: null }, { a: null }], { '/a': 1 }],
    ['the fields of a replacement', [{ a: 1 }, { a: { b: 1 } }], { '/a/b': 1 }],
    ['an array that was an object', [{ a: { 0: 1 } }, { a: [1] }], { '/a/0': 1 }],
    ['a state that is not an object', ['a', 'b', 'b'], { '': 1 }],
    ['an empty state', [{ a: 1 }, {}], { '': 1 }],
    [
      'a changed order of members',
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      { '/b': 0, '/a': 0 },
    ],
    [
      'names of every kind',
      JSON.parse('[{"__proto__":1,"a/b":1,"":1},{"__proto__":2,"a/b":1,"":1}]') as States,
      { ['/__proto__']: 1, '/a~1b': 0, '/': 0 },
    ],
  ])('explains %s', (_, states, expected) => {
    const explained = whole(states);
    expect(Object.entries(explained)).toEqual(Object.entries(expected));
  });

  it.each<[string, States, readonly (number | undefined)[]]>([
    ['added at the end', [['a'], ['a', 'b'], ['a', 'b', 'c']], [0, 1, 2]],
    ['removed at the front', [['a'], ['a', 'b'], ['a', 'b', 'c'], ['b', 'c']], [1, 2]],
    ['added at the front', [['a'], ['b', 'a']], [1, 0]],
    [
      'of a sliding window',
      [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'd'],
      ],
      [1, 2],
    ],
    ['in a new order', [['a'], ['a', 'b'], ['b', 'a']], [1, 0]],
    ['that are equal', [['a'], ['a', 'a'], ['a', 'a', 'a'], ['a', 'a']], [0, 1]],
    [
      'one of which changed',
      [
        ['a', 'b', 'c'],
        ['a', 'x', 'c'],
      ],
      [0, 1, 0],
    ],
    ['that were removed and added again', [['a'], [], ['a']], [2]],
  ])('follows array elements %s', (_, states, expected) => {
    expect(Object.values(whole(states))).toEqual(expected);
  });

  it('compares a changed array element with the previous element at the same index', () => {
    const states: States = [
      [{ who: 'Fred', paid: false }],
      [
        { who: 'Fred', paid: false },
        { who: 'Ann', paid: false },
      ],
      [
        { who: 'Fred', paid: true },
        { who: 'Ann', paid: false },
      ],
      [{ who: 'Ann', paid: false }],
      [{ who: 'Ann', paid: true }],
    ];
    expect(whole(states)).toEqual({ '/0/who': 1, '/0/paid': 4 });
  });

  it('explains only the given part and is complete when that part is explained', () => {
    const states: States = [
      { a: 1, b: { c: 1, d: 1 } },
      { a: 1, b: { c: 1, d: 2 } },
    ];
    expect(whole(states, '/b')).toEqual({ '/b/c': 0, '/b/d': 1 });
    expect(look(states, 1, 1, ['b', 'd']).isComplete).toBe(false);
    const explained = explain<number>(states[1]!, ['b', 'd']);
    explained.stepBack(states[0], 1);
    expect(explained.isComplete).toBe(true);
  });

  it('finds the change that removed a field but nothing for a field that never existed', () => {
    const states: States = [{ a: 1 }, { a: 1, b: 1 }, { a: 1 }, { a: 2 }];
    expect(whole(states, '/b')).toEqual({ '/b': 2 });
    expect(look(states, 3, 0, ['b']).fields()).toEqual([
      { path: ['b'], value: undefined, setBy: 2, pathBefore: undefined },
    ]);
    expect(look(states, 3, 2, ['b']).fields()).toMatchObject([
      { setBy: undefined, pathBefore: ['b'] },
    ]);
    expect(whole(states, '/c')).toEqual({});
  });

  it('reports the path that the part has in the oldest state', () => {
    const states: States = [{ q: ['a', 'b'] }, { q: ['b'] }, { q: ['b', 'c'] }];
    const explained = look(states, 2, 1, ['q', '0']);
    expect(explained.partBefore()).toEqual(['q', '0']);
    explained.stepBack(states[0], 1);
    expect(explained.partBefore()).toEqual(['q', '1']);
    expect(explained.fields()).toMatchObject([{ path: ['q', '0'], pathBefore: ['q', '1'] }]);
  });
});

/** Values from a small set, so different states often have equal values. */
const { value } = fc.letrec<{ value: Json; member: Json }>((tie) => ({
  value: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('member'), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
  member: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(0, 1, '', null, true),
    tie('value'),
  ),
}));
const anyMember = fc.oneof(
  value,
  fc.array(fc.oneof(fc.nat(3), value), { maxLength: 4 }),
  fc.nat(2),
);
const statesOf = (state: fc.Arbitrary<Json>) =>
  fc.array(state, { minLength: 1, maxLength: 8 }) as unknown as fc.Arbitrary<States>;

/** The paths of the innermost fields of a state. */
function leaves(state: Json, path: JsonPath = []): JsonPath[] {
  const members = typeof state === 'object' && state !== null ? Object.entries(state) : [];
  if (members.length === 0) return [path];
  return members.flatMap(([name, each]) => leaves(each, [...path, name]));
}

describe('each field of a state', () => {
  it('is explained by the last step that changed its value', () => {
    fc.assert(
      fc.property(statesOf(value), (states) => {
        const last = states.length - 1;
        const textAt = (n: number, path: JsonPath) =>
          JSON.stringify(n < 0 ? undefined : valueAt(states[n], path));
        const expected = leaves(states[last]!).map((path) => {
          const changes = states.map((_, n) => textAt(n, path) !== textAt(n - 1, path));
          return [pointerOf(path), changes.lastIndexOf(true)];
        });
        expect(Object.entries(whole(states))).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('is explained by the change that added it if it is a list element, even if other elements were added or removed', () => {
    const step = fc.record({ add: fc.boolean(), at: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const states: string[][] = [];
        for (const [n, { add, at }] of steps.entries()) {
          const list = [...(states.at(-1) ?? [])];
          const place = at % (list.length + 1);
          if (add) list.splice(place, 0, `by ${n}`);
          else list.splice(place, 1);
          states.push(list);
        }
        const list = states.at(-1)!;
        const expected = list.map((name) => Number(name.slice('by '.length)));
        fc.pre(list.length > 0);
        expect(Object.values(whole(states as unknown as States))).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('has the same explanation whether the history is read in one page or in several pages', () => {
    const part = fc.constantFrom('', '/a', '/a/0', '/a/b', '/b/a');
    const state = fc.dictionary(fc.constantFrom('a', 'b'), anyMember, { noNullPrototype: true });
    fc.assert(
      fc.property(
        statesOf(state as fc.Arbitrary<Json>),
        part,
        fc.integer({ min: 1, max: 3 }),
        (states, at, size) => {
          let from = states.length - 1;
          let fields = look(states, from, 0, pathIn(at)).fields();
          const expected = fields;
          const first = look(states, from, Math.max(0, from - size), pathIn(at));
          fields = first.fields();
          for (let page = first; !page.isComplete; ) {
            from = Math.max(0, from - size);
            page = look(states, from, Math.max(0, from - size), page.partBefore());
            const known = new Map(page.fields().map((field) => [pointerOf(field.path), field]));
            fields = fields.flatMap((field) => {
              if (!field.pathBefore) return [field];
              const { setBy, pathBefore } = known.get(pointerOf(field.pathBefore)) ?? {};
              return setBy === undefined && !pathBefore ? [] : [{ ...field, setBy, pathBefore }];
            });
          }
          expect(fields).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});
