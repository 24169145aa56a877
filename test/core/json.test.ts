import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNonJson, firstFlaw, parseExact, parseWithFlaws } from '../../src/core/json.ts';
import { thrownBy } from '../support/thrown-by.ts';

const codeOf = (text: string) => {
  try {
    parseExact(text);
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('parseExact', () => {
  it.each([
    '0',
    '-0.0',
    '1.10',
    '1e2',
    '[1.5e3]',
    '9007199254740992',
    '0.30000000000000004',
    '{"t":"9e99999"}',
    '1.7976931348623157e308',
  ])('takes %s, which a double holds', (text) =>
    expect(parseExact(text)).toEqual(JSON.parse(text)),
  );

  it.each([
    '9007199254740993',
    '12345678901234567890',
    '1e400',
    '1E-400',
    '0.1000000000000000055',
    '{"a":[9.99999999999999999]}',
  ])('refuses %s, which a double would change', (text) =>
    expect(codeOf(text)).toBe('inexact-number'),
  );

  it('never changes a number that it takes', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,19})(\.\d{1,20})?(e[+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        if (codeOf(text) !== 'taken') return;
        const [whole, power] = exactValue(text);
        const [keptWhole, keptPower] = exactValue(JSON.stringify(parseExact(text)));
        const shift = BigInt(Math.abs(power - keptPower));
        expect(power > keptPower ? whole * 10n ** shift : whole).toBe(
          keptPower > power ? keptWhole * 10n ** shift : keptWhole,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('reads back whatever JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('__proto__')) return;
        expect(parseExact(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    '{"__proto__":{"admin":true}}',
    ...Array.from('__proto__', (letter, index) => {
      const escape = `\\u00${letter.charCodeAt(0).toString(16)}`;
      return `{"a":[{"${'__proto__'.slice(0, index)}${escape}${'__proto__'.slice(index + 1)}":1}]}`;
    }),
    '{"\\u005F\\u005F\\u0070\\u0072\\u006F\\u0074\\u006F\\u005F\\u005F":1}',
  ])('refuses the key __proto__ in %s', (text) => expect(codeOf(text)).toBe('forbidden-key'));

  it('takes __proto__ as a value', () => {
    expect(parseExact('{"a":"__proto__"}')).toEqual({ a: '__proto__' });
  });

  it('refuses what is nested deeper than code can safely walk', () => {
    expect(codeOf(`${'['.repeat(100)}${']'.repeat(100)}`)).toBe('taken');
    expect(codeOf(`${'['.repeat(120)}${']'.repeat(120)}`)).toBe('too-deep');
    expect(codeOf(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)).toBe('too-deep');
  });

  it.each(['', 'nope', '{', '{"a":1}x', '\u0000'])('says that %j is not JSON', (text) => {
    expect(codeOf(text)).toBe('not-json');
  });
});

it('says in well-formed words what is not JSON', () => {
  const message = (thrownBy(() => parseExact('{"a":😀}')) as Error).message;
  expect(message).toContain('not JSON');
  expect(message.isWellFormed()).toBe(true);
});

describe('parseWithFlaws', () => {
  it('tells which part of a value is flawed', () => {
    const parts = parseWithFlaws('[{"n":1},{"n":12345678901234567890},{"__proto__":1}]');
    expect((parts as never[]).map(firstFlaw)).toEqual([
      undefined,
      expect.stringContaining('12345678901234567890'),
      expect.stringContaining('__proto__'),
    ]);
  });
});

describe('findNonJson', () => {
  it.each([
    [{ a: { b: Number.NaN } }, 'state.a.b is NaN'],
    [{ a: [1, Number.POSITIVE_INFINITY] }, 'state.a[1] is Infinity'],
    [{ at: new Date(0) }, 'state.at is a Date'],
    [{ f: () => 1 }, 'state.f is a function'],
    [{ n: 1n }, 'state.n is a bigint'],
    [new Map(), 'state is a Map'],
    [undefined, 'state is undefined'],
    [[undefined], 'state[0] is undefined'],
  ])('finds what JSON would change in %o', (value, found) => {
    expect(findNonJson(value)).toBe(found);
  });

  it('finds nothing in JSON, and lets undefined properties be', () => {
    expect(findNonJson({ a: [1, 'x', null, true, { b: undefined }] })).toBeUndefined();
  });
});

/** A decimal as a whole number times a power of ten, without any rounding. */
function exactValue(decimal: string): [bigint, number] {
  const [, mantissa = '', exponent = '0'] = /^([^eE]+)(?:[eE](.+))?$/.exec(decimal) ?? [];
  const fraction = mantissa.split('.')[1] ?? '';
  return [BigInt(mantissa.replace('.', '')), Number(exponent) - fraction.length];
}
