import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentMap } from '../../src/common/recent-map.ts';

const minimum = 10;
const names = fc.nat({ max: 8 }).map(String);
const sizes = fc.integer({ min: 1, max: 4 });

interface Entry {
  readonly size: number;
}
const newMap = () => new RecentMap<Entry>(minimum, ({ size }) => size);

describe('a map of recent entries', () => {
  it('contains at least the latest entries up to its minimum size, but less than twice that size plus one entry', () => {
    // The size of an entry depends only on its name.
    const sizeOf = (name: string) => (Number(name) % 4) + 1;
    fc.assert(
      fc.property(fc.array(names, { maxLength: 100 }), (setNames) => {
        const map = newMap();
        const latest = new Map<string, Entry>();
        for (const name of setNames) {
          const entry = { size: sizeOf(name) };
          map.set(name, entry);
          latest.delete(name);
          latest.set(name, entry);
          const latestFirst = [...latest.keys()].toReversed();
          const sumOf = (some: readonly string[]) =>
            some.reduce((sum, each) => sum + sizeOf(each), 0);
          const certain = latestFirst.filter(
            (_, index) => sumOf(latestFirst.slice(0, index + 1)) <= minimum,
          );
          const kept = latestFirst.filter((each) => map.get(each) === latest.get(each));
          expect(kept).toEqual(expect.arrayContaining(certain));
          expect(sumOf(kept)).toBeLessThan(2 * minimum + 4);
        }
      }),
    );
  });

  it('never returns a replaced or deleted entry, whatever the sizes are', () => {
    const step = fc.record({ name: names, entry: fc.option(fc.record({ size: sizes })) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const map = newMap();
        const latest = new Map<string, Entry | undefined>();
        for (const { name, entry } of steps) {
          if (entry) map.set(name, entry);
          else map.delete(name);
          latest.set(name, entry ?? undefined);
          expect(map.get(name)).toBe(entry ?? undefined);
          for (const [each, value] of latest) expect([value, undefined]).toContain(map.get(each));
        }
      }),
    );
  });

  it('counts entries if no function for their size is given', () => {
    const map = new RecentMap<number>(2);
    for (const n of [1, 2, 3, 4, 5]) map.set(String(n), n);
    expect([1, 2, 3, 4, 5].filter((n) => map.get(String(n)))).toEqual([3, 4, 5]);
  });
});
