import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pack, unpack } from '../../../src/aws/dynamodb/packed.ts';

it('gives any text back, short or long', () => {
  const text = fc
    .tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom(0, 1, 100, 5_000))
    .map(([part, times]) => part.repeat(times));
  fc.assert(
    fc.property(text, (each) => {
      expect(unpack(pack(each))).toBe(each);
    }),
  );
});

it('finds again what stands far before', () => {
  const noise = Array.from({ length: 50_000 }, (_, n) => (n * n * n).toString(36)).join('');
  const once = pack(noise).byteLength;
  expect(pack(noise.repeat(4)).byteLength).toBeLessThan(1.1 * once);
});

it('reads a short text that zstd has packed', () => {
  expect(unpack(zstdCompressSync('a short text'))).toBe('a short text');
});
