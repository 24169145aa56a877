import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastVersionBy } from '../../../src/aws/instances/commit-times.ts';

describe('lastVersionBy', () => {
  const at = (n: number) => String(n).padStart(7, '0');
  const looks: number[][] = [];
  const find = (times: readonly number[], moment: number) => {
    looks.length = 0;
    return lastVersionBy(at(moment), times.length, (versions) => {
      looks.push([...versions]);
      return Promise.resolve(new Map(versions.map((n) => [n, at(times[n - 1]!)])));
    });
  };

  it('finds the last version that was committed by the given time', async () => {
    const times = fc.array(fc.nat(50), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(times, fc.nat(51), async (some, moment) => {
        const sorted = [...some.toSorted((a, b) => a - b), 99];
        expect(await find(sorted, moment)).toBe(sorted.filter((time) => time <= moment).length);
      }),
      { numRuns: 300 },
    );
  });

  it('reads at most 45 of 100,000 commits, in at most seven rounds of parallel reads', async () => {
    const times = Array.from({ length: 100_000 }, (_, i) => i + 1);
    for (const moment of [0, 1, 12_345, 50_000, 99_998, 99_999]) {
      expect(await find(times, moment)).toBe(moment);
      expect(looks.length).toBeLessThanOrEqual(7);
      expect(looks.flat().length).toBeLessThanOrEqual(45);
    }
  });

  it('throws if a commit is missing', async () => {
    await expect(lastVersionBy(at(3), 9, () => Promise.resolve(new Map()))).rejects.toThrow(
      'the commit of version',
    );
  });
});
