import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fingerprintOf,
  mayHold,
  nothingSeen,
  remembersAll,
  seenWindow,
  withEvents,
} from '../../src/core/seen.ts';
import { decodeSeen, encodeSeen } from '../../src/core/seen-codec.ts';

const fingerprints = (count: number, source = 'a') =>
  Array.from({ length: count }, (_, i) => fingerprintOf({ source, id: `e${i}` }));

describe('seen events', () => {
  it('never misses one of the latest 1,000, however they came', () => {
    const batches = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(batches, (sizes) => {
        const all = fingerprints(sizes.reduce((a, b) => a + b));
        let seen = nothingSeen;
        let from = 0;
        for (const size of sizes) {
          seen = decodeSeen(encodeSeen(withEvents(seen, all.slice(from, from + size))));
          from += size;
        }
        expect(seen.total).toBe(all.length);
        expect(all.slice(-seenWindow).every((f) => mayHold(seen, f))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('takes at most 1 KB for 1,000 events, and few bytes for few', () => {
    expect(encodeSeen(withEvents(nothingSeen, fingerprints(5))).byteLength).toBeLessThan(30);
    expect(encodeSeen(withEvents(nothingSeen, fingerprints(1000))).byteLength).toBeLessThan(1024);
  });

  it('hardly ever says yes to an event that was not there', () => {
    const falseAlarms = (count: number) => {
      const seen = withEvents(nothingSeen, fingerprints(count));
      return fingerprints(10_000, 'other').filter((f) => mayHold(seen, f)).length;
    };
    expect(falseAlarms(50)).toBe(0);
    expect(falseAlarms(1000)).toBeLessThan(300);
  });

  it('knows when it has begun to forget', () => {
    expect(remembersAll(withEvents(nothingSeen, fingerprints(2000)))).toBe(true);
    expect(remembersAll(withEvents(nothingSeen, fingerprints(2001)))).toBe(false);
  });

  it('reads back exactly what it wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffffffff), { maxLength: 2500 }), (values) => {
        const seen = withEvents(nothingSeen, values);
        expect(decodeSeen(encodeSeen(seen))).toEqual(seen);
      }),
      { numRuns: 50 },
    );
  });

  it('says so when its bytes are cut off', () => {
    const bytes = encodeSeen(withEvents(nothingSeen, fingerprints(100)));
    expect(() => decodeSeen(bytes.slice(0, 50))).toThrow('end too soon');
  });
});
