import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJson } from '../../../src/common/is-json.ts';
import {
  firstFlaw,
  parseExact,
  parseWithFlaws,
  readExact,
} from '../../../src/core/json/exact-json.ts';
import type { Json } from '../../../src/core/json/json.ts';
import { anyJsonText } from '../../support/data/any-json-text.ts';
import { thrownBy } from '../../support/thrown-by.ts';

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
  ])('accepts %s, which a double does not change', (text) =>
    expect(parseExact(text)).toEqual(JSON.parse(text)),
  );

  it.each([
    '9007199254740993',
    '12345678901234567890',
    '1e400',
    '1E-400',
    '0.1000000000000000055',
    '0.10000000000000001',
    '{"a":[9.99999999999999999]}',
  ])('rejects %s, which a double would change', (text) =>
    expect(codeOf(text)).toBe('inexact-number'),
  );

  it('parses anything that JSON.stringify writes', () => {
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
  ])('rejects the key __proto__ in %s', (text) => expect(codeOf(text)).toBe('forbidden-key'));

  it('accepts the value __proto__', () => {
    expect(parseExact('{"a":"__proto__"}')).toEqual({ a: '__proto__' });
  });

  it('rejects a value that is nested more than 100 levels deep', () => {
    expect(codeOf(`${'['.repeat(100)}${']'.repeat(100)}`)).toBe('taken');
    expect(codeOf(`${'['.repeat(120)}${']'.repeat(120)}`)).toBe('too-deep');
    expect(codeOf(`${'['.repeat(101)}${']'.repeat(101)}`)).toBe('too-deep');
    expect(codeOf(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)).toBe('too-deep');
    expect(codeOf(`[1e400,${'['.repeat(120_000)}${']'.repeat(120_000)}]`)).toBe('too-deep');
    expect(codeOf(`"${'['.repeat(120)}"`)).toBe('taken');
  });

  it('rejects a member with a flaw even if a later member with the same name overrides it', () => {
    expect(codeOf('{"n":1e400,"n":1}')).toBe('inexact-number');
    expect(codeOf('{"n":{"__proto__":1},"n":1}')).toBe('forbidden-key');
    expect(parseExact('{"n":1,"n":2}')).toEqual({ n: 2 });
  });

  it('rejects text that is not JSON with a well-formed message', () => {
    const message = (thrownBy(() => parseExact('{"a":😀}')) as Error).message;
    expect(message).toContain('not JSON');
    expect(message.isWellFormed()).toBe(true);
  });

  it.each(['', 'nope', '{', '{"a":1}x', '\u0000'])('rejects %j as not JSON', (text) => {
    expect(codeOf(text)).toBe('not-json');
  });
});

describe('readExact', () => {
  it('returns the same value as JSON.parse, or the first flaw of the text', () => {
    fc.assert(
      fc.property(anyJsonText, ({ text, value, flaws }) => {
        const read = readExact(text);
        expect(read.ok ? read.value : read.code).toEqual(flaws.length === 0 ? value : flaws[0]);
      }),
      { numRuns: 3000 },
    );
  });

  it('rejects text with a random change as not JSON if and only if JSON.parse rejects the text', () => {
    const change = fc.tuple(
      anyJsonText,
      fc.nat(),
      fc.nat(2),
      fc.constantFrom(...Array.from('{}[]",:\\0-eE. tn_')),
    );
    fc.assert(
      fc.property(change, ([{ text }, where, cut, put]) => {
        const at = where % (text.length + 1);
        const changed = text.slice(0, at) + put + text.slice(at + cut);
        const read = readExact(changed);
        expect(!read.ok && read.code === 'not-json').toBe(!isJson(changed));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('parseWithFlaws', () => {
  it('marks each array element that contains a flaw and returns all other elements unchanged', () => {
    fc.assert(
      fc.property(fc.array(anyJsonText, { minLength: 1, maxLength: 4 }), (parts) => {
        const read = parseWithFlaws(`[${parts.map(({ text }) => text).join(', ')}]`) as Json[];
        expect(read.map((part) => (firstFlaw(part) === undefined ? part : 'flawed'))).toEqual(
          parts.map(({ value, flaws }) => (flaws.length === 0 ? value : 'flawed')),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the flaw of a member even if a later member with the same name overrides it', () => {
    const [part, other] = parseWithFlaws('[{"a":{"n":[1e400]},"a":1},{"a":1,"a":2}]') as Json[];
    expect(firstFlaw(part!)).toContain('1e400');
    expect(other).toEqual({ a: 2 });
  });

  it('identifies the flawed part of a value', () => {
    const parts = parseWithFlaws('[{"n":1},{"n":12345678901234567890},{"__proto__":1}]');
    expect((parts as never[]).map(firstFlaw)).toEqual([
      undefined,
      expect.stringContaining('12345678901234567890'),
      expect.stringContaining('__proto__'),
    ]);
  });
});
