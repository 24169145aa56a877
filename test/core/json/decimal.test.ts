import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExactAsDouble } from '../../../src/core/json/decimal.ts';
import { anyDecimal } from '../../support/data/any-json-text.ts';
import { isExact } from '../../support/data/exact-decimal.ts';

describe('isExactAsDouble', () => {
  it('agrees with exact arithmetic', () => {
    fc.assert(
      fc.property(anyDecimal, (text) => {
        expect(isExactAsDouble(text)).toBe(isExact(text));
      }),
      { numRuns: 5000 },
    );
  });

  // A regular expression that tries every run of zeros would take more than a minute for the first number.
  const many = 250_000;
  it.each([
    ['zeros between two digits', `1.${'0'.repeat(many)}1`, false],
    ['zeros after a digit', `1.${'0'.repeat(many)}`, true],
    ['zeros before a digit', `0.${'0'.repeat(many)}1`, false],
    ['zeros canceled by an exponent', `0.${'0'.repeat(many)}1e${many + 1}`, true],
    ['digits', '9'.repeat(many), false],
    ['pairs of digits', `0.${'01'.repeat(many / 2)}`, false],
    ['digits of an exponent', `1e${'9'.repeat(many)}`, false],
    ['digits of a negative exponent', `1e-${'9'.repeat(many)}`, false],
    ['exponent digits of a zero', `0e${'9'.repeat(many)}`, true],
    ['zeros of an exponent', `1e${'0'.repeat(many)}1`, true],
  ])('returns $2 for a number with 250,000 %s', (_, text, isHeld) =>
    expect(isExactAsDouble(text)).toBe(isHeld),
  );
});
