import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compress, decompress } from '../../../src/aws/dynamodb/compress.ts';
import { isPermanent } from '../../../src/core/errors.ts';

it('decompress restores any compressed text', () => {
  const text = fc
    .tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom(0, 1, 100, 5_000))
    .map(([part, times]) => part.repeat(times));
  fc.assert(
    fc.property(text, (each) => {
      expect(decompress(compress(each))).toBe(each);
    }),
  );
});

it('compress finds repetitions that are far apart', () => {
  const noise = Array.from({ length: 50_000 }, (_, n) => (n * n * n).toString(36)).join('');
  const once = compress(noise).byteLength;
  expect(compress(noise.repeat(4)).byteLength).toBeLessThan(1.1 * once);
});

it('decompress accepts a short text that zstd compressed', () => {
  expect(decompress(zstdCompressSync('a short text'))).toBe('a short text');
});

it.each([
  ['deflate compressed', compress('a text')],
  ['zstd compressed', zstdCompressSync('a text')],
])('decompress throws a permanent error for damaged bytes that %s', (_, bytes) => {
  const thrown = errorOf(() => decompress(bytes.subarray(0, -5)));
  expect(isPermanent(thrown)).toBe(true);
  expect(thrown).toMatchObject({ message: expect.stringContaining('stored data is damaged') });
});

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
