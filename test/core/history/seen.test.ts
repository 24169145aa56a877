import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addFingerprints,
  emptySeen,
  fingerprintOf,
  flushedVersion,
  mayContainRecent,
  recentCount,
  type Seen,
  withBase,
} from '../../../src/core/history/seen.ts';
import { decodeSeen, encodeSeen } from '../../../src/core/history/seen-codec.ts';

const fingerprints = (count: number, source = 'a') =>
  Array.from({ length: count }, (_, i) => fingerprintOf({ source, id: `e${i}` }));

/** Returns the set after the first commit, which adds the given number of events. */
const after = (count: number) => addFingerprints(emptySeen, fingerprints(count), 1);

/** Returns the seen events after commits of the given sizes. The set is encoded and decoded after each commit. */
function stored(sizes: readonly number[]): { seen: Seen; bytes: number }[] {
  const all = fingerprints(sizes.reduce((a, b) => a + b));
  const commits: { seen: Seen; bytes: number }[] = [];
  let from = 0;
  for (const [index, size] of sizes.entries()) {
    const version = index + 1;
    const before = commits.at(-1)?.seen ?? emptySeen;
    const made = addFingerprints(before, all.slice(from, from + size), version);
    const bytes = encodeSeen(made, version);
    const read = decodeSeen(bytes, version);
    const seen = read.recent === 'elsewhere' ? withBase(read, commits[read.base - 1]!.seen) : read;
    commits.push({ seen, bytes: bytes.byteLength });
    from += size;
  }
  return commits;
}

describe('the set of seen events', () => {
  it('contains every added event, regardless of how the events are distributed over commits', () => {
    const many = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 });
    const few = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 200 });
    const mixed = fc.tuple(few, many, few).map((parts) => parts.flat());
    fc.assert(
      fc.property(fc.oneof(many, mixed), (sizes) => {
        const all = fingerprints(sizes.reduce((a, b) => a + b));
        const { seen } = stored(sizes).at(-1)!;
        expect(recentCount(seen)).toBe(all.length);
        expect(all.every((f) => mayContainRecent(seen, f))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('adds less than 100 bytes per commit on average, over 1,000 commits of one event each', () => {
    const bytes = stored(Array.from({ length: 1_000 }, () => 1)).map((each) => each.bytes);
    expect(bytes[4]).toBeLessThan(30);
    expect(bytes.filter((each) => each > 110).length).toBeLessThanOrEqual(1_000 / 25);
    expect(Math.max(...bytes)).toBeLessThan(1.75 * 1024);
    expect(bytes.reduce((a, b) => a + b) / bytes.length).toBeLessThan(100);
  });

  it('rarely reports that it contains an event that was not added', () => {
    const falseAlarms = (count: number) => {
      const seen = after(count);
      return fingerprints(10_000, 'other').filter((f) => mayContainRecent(seen, f)).length;
    };
    expect(falseAlarms(50)).toBe(0);
    expect(falseAlarms(1000)).toBeLessThan(8);
  });

  it('throws on a lookup if the commit that contains its earlier fingerprints has not been read', () => {
    const seen = addFingerprints(after(100), fingerprints(1, 'other'), 2);
    const read = decodeSeen(encodeSeen(seen, 2), 2);
    expect(read).toMatchObject({ base: 1, recent: 'elsewhere' });
    expect(() => mayContainRecent(read, 1)).toThrow('in commit 1, which was not read');
    expect(withBase(read, after(100))).toEqual(seen);
  });

  it('is unchanged after it is encoded and decoded', () => {
    const run = fc.record({ to: fc.nat(9_999_999_999), flushes: fc.nat(), count: fc.nat() });
    const before = fc.array(run, { maxLength: 5 }).map((runs) => ({ ...emptySeen, runs }));
    const values = fc.array(fc.nat(0xffffffff), { maxLength: 2500 });
    fc.assert(
      fc.property(before, values, (seenBefore, added) => {
        const seen = addFingerprints(seenBefore, added, 7);
        expect(decodeSeen(encodeSeen(seen, 7), 7)).toEqual(seen);
      }),
      { numRuns: 50 },
    );
  });

  it('tracks the newest commit whose events are in runs', () => {
    expect(flushedVersion(emptySeen)).toBe(0);
    expect(flushedVersion({ runs: [{ to: 7, flushes: 1, count: 3 }] })).toBe(7);
  });

  it('fails to decode truncated bytes', () => {
    const bytes = encodeSeen(after(100), 1);
    expect(() => decodeSeen(bytes.slice(0, 50), 1)).toThrow('is truncated');
  });
});
