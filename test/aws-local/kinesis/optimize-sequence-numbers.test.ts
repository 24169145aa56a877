import fc from 'fast-check';
import db from 'kinesalite/db/index.js';
import { describe, expect, it } from 'vitest';
import { optimizeSequenceNumbers } from '../../../src/aws-local/kinesis/optimize-sequence-numbers.ts';

const slow = { ...db };
optimizeSequenceNumbers();

const milliseconds = fc.integer({ min: 0, max: 16_025_174_999 }).map((seconds) => seconds * 1000);
const sequence = fc.record(
  {
    shardCreateTime: milliseconds,
    shardIx: fc.nat(2_147_483_647),
    seqIx: fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String)),
    byte1: fc.constantFrom('00', '7f'),
    seqTime: milliseconds,
    version: fc.constant(2),
  },
  { requiredKeys: ['shardCreateTime'] },
);

/** Returns the result of a call, or `thrown` if the call throws. */
function outcome<T>(call: () => T): T | 'thrown' {
  try {
    return call();
  } catch {
    return 'thrown';
  }
}

describe('optimized sequence numbers', () => {
  it('are formatted and parsed as in kinesalite', () => {
    fc.assert(
      fc.property(sequence, (each) => {
        const text = slow.stringifySequence(each);
        expect(db.stringifySequence(each)).toBe(text);
        expect(db.parseSequence(text)).toEqual(slow.parseSequence(text));
      }),
    );
  });

  it('are parsed as in kinesalite even if they are invalid or have a different version', () => {
    const hex = fc.stringMatching(/^[0-9a-f]{0,48}$/);
    const text = fc.oneof(
      hex.map((digits) => BigInt(`0x0${digits}`).toString()),
      hex.map((digits) => BigInt(`0x2${digits.padEnd(45, 'f').slice(0, 45)}2`).toString()),
      fc
        .nat()
        .map((shardIx) => slow.stringifySequence({ shardCreateTime: 1_000, shardIx, version: 1 })),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (each) => {
        expect(outcome(() => db.parseSequence(each))).toEqual(
          outcome(() => slow.parseSequence(each)),
        );
      }),
    );
  });
});

it('optimized hash keys are compared as in kinesalite', () => {
  const bound = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map(String);
  fc.assert(
    fc.property(fc.string(), bound, (key, other) => {
      const expected = slow.partitionKeyToHashKey(key).comparedTo(other);
      expect(db.partitionKeyToHashKey(key).comparedTo(other)).toBe(expected);
    }),
  );
});
