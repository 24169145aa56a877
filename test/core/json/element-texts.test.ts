import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberText } from '../../../src/core/json/element-texts.ts';
import { anyJsonText } from '../../support/data/any-json-text.ts';

const members = fc.dictionary(fc.string({ unit: 'binary' }), anyJsonText, {
  minKeys: 1,
  noNullPrototype: true,
});

describe('memberText', () => {
  it('returns the unchanged text of any member', () => {
    fc.assert(
      fc.property(members, (texts) => {
        const inner = Object.entries(texts).map(
          ([key, { text }]) => `${JSON.stringify(key)} : ${text}`,
        );
        const whole = `{ ${inner.join(' ,\n')} }`;
        for (const [key, { text }] of Object.entries(texts))
          expect(memberText(whole, key)).toBe(text.trim());
      }),
    );
  });

  it('returns the text of the last of several members with the same name, even if the name contains escapes', () => {
    expect(memberText('{"data":1,"\\u0064ata":[ 2 ],"a":{"data":3}}', 'data')).toBe('[ 2 ]');
  });

  it('ignores the members of nested objects', () => {
    expect(memberText('{"a":{"data":3}}', 'data')).toBeUndefined();
  });
});
