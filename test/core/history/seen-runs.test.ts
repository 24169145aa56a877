import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultSeenLimits,
  pageCount,
  pageOf,
  planFlush,
  type SeenEntry,
  SeenPage,
  type SeenRun,
  toPages,
} from '../../../src/core/history/seen-runs.ts';

/** Returns the runs after the given number of equally large flushes, and all merges until then. */
function flushed(times: number, recent = 1000, limits = defaultSeenLimits) {
  let runs: readonly SeenRun[] = [];
  const written: SeenRun[] = [];
  for (let flush = 1; flush <= times; flush++) {
    const plan = planFlush(runs, { to: flush * 10, flushes: 1, count: recent }, limits);
    runs = plan.runs;
    written.push(...plan.merges.map(({ result }) => result));
  }
  return { runs, written };
}

describe('planFlush', () => {
  it('merges flushes into runs of ten and full runs into runs of a hundred', () => {
    const flushesAfter = (times: number) => flushed(times).runs.map(({ flushes }) => flushes);
    expect(flushesAfter(1)).toEqual([1]);
    expect(flushesAfter(10)).toEqual([10]);
    expect(flushesAfter(11)).toEqual([1, 10]);
    expect(flushesAfter(110)).toEqual([10, 100]);
    expect(flushesAfter(111)).toEqual([1, 10, 100]);
  });

  it('keeps each event in exactly one run and lists the runs youngest first', () => {
    const limits = fc.record({ recent: fc.constant(1), fanout: fc.integer({ min: 2, max: 10 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), limits, (times, each) => {
        const { runs } = flushed(times, 1, each);
        expect(runs.reduce((sum, { count }) => sum + count, 0)).toBe(times);
        expect(runs.map(({ to }) => to)).toEqual(
          runs.map(({ to }) => to).toSorted((a, b) => b - a),
        );
        let to = times * 10;
        for (const run of runs) {
          expect(run.to).toBe(to);
          to -= run.flushes * 10;
        }
        expect(to).toBe(0);
      }),
    );
  });

  it('moves a full run to an empty level without rewriting it', () => {
    expect(flushed(11).written.map(({ flushes }) => flushes)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1,
    ]);
  });
});

describe('the pages of a run', () => {
  const entry = fc.record({
    fingerprint: fc.nat(0xffffffff),
    version: fc.integer({ min: 1, max: 9_999_999_999 }),
  });
  const near = fc
    .tuple(
      fc.integer({ min: 1, max: 9_999_000_000 }),
      fc.array(fc.tuple(fc.nat(0xffffffff), fc.nat(200_000))),
    )
    .map(([first, all]) =>
      all.map(([fingerprint, more]): SeenEntry => ({ fingerprint, version: first + more })),
    );

  it('are decoded to the entries that were encoded, in order', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(entry, { maxLength: 5 }), near), (entries) => {
        const run = { to: 1, flushes: 1, count: Math.max(entries.length, 1) };
        const read = toPages(run, entries).flatMap((page, index) =>
          SeenPage.decode(run, index, page.encode(run, index)).entries(),
        );
        const sorted = (all: readonly SeenEntry[]) =>
          all.toSorted((a, b) => a.fingerprint - b.fingerprint || a.version - b.version);
        expect(read).toEqual(sorted(entries));
      }),
      { numRuns: 200 },
    );
  });

  it.each([1_000, 10_000, 100_000])('of %d events are at most 4 KB each', (count) => {
    const run = { to: count, flushes: 1, count };
    let last = 1;
    const random = () => (last = (last * 48_271) % 2_147_483_647) * 2;
    const entries = Array.from({ length: count }, (_, n) => ({
      fingerprint: random(),
      version: n + 1,
    }));
    const pages = toPages(run, entries).map((page, n) => page.encode(run, n));
    // The keys of the item count toward the 4 KB of a read unit.
    expect(Math.max(...pages.map((page) => page.byteLength))).toBeLessThan(4_096 - 150);
    const { fingerprint, version } = entries[700]!;
    const index = pageOf(run, fingerprint);
    expect(index).toBeLessThan(pageCount(run));
    expect(SeenPage.decode(run, index, pages[index]!).versionsOf(fingerprint)).toEqual([version]);
  });

  it('list every commit that contains an event with the given fingerprint', () => {
    const run = { to: 9, flushes: 1, count: 3 };
    const [page] = toPages(run, [
      { fingerprint: 7, version: 9 },
      { fingerprint: 8, version: 2 },
      { fingerprint: 7, version: 3 },
    ]);
    expect(page!.versionsOf(7)).toEqual([3, 9]);
    expect(page!.versionsOf(9)).toEqual([]);
  });
});
