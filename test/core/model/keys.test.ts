import { describe, expect, it } from 'vitest';
import type { Keys } from '../../../src/core/model/description.ts';
import { isKey, keysOf } from '../../../src/core/model/keys.ts';

const of = (keys: unknown) => keysOf({ keys: () => keys as Keys }, {});

describe('keysOf', () => {
  it.each<[string, unknown, string[]]>([
    ['one value', { customer: '42' }, ['customer:42']],
    ['several values, sorted and unique', { b: ['2', '1', '2'], a: 'x' }, ['a:x', 'b:1', 'b:2']],
    ['an undefined value', { customer: undefined }, []],
    ['null', { customer: null }, []],
    ['a value with a colon', { order: 'a:b' }, ['order:a:b']],
    [
      'ten values',
      { n: Array.from({ length: 10 }, (_, n) => String(n)) },
      Array.from({ length: 10 }, (_, n) => `n:${n}`),
    ],
    ['256 characters of four bytes', { device: '😀'.repeat(256) }, [`device:${'😀'.repeat(256)}`]],
    ['no keys', {}, []],
  ])('accepts %s', (_, keys, expected) => {
    expect(of(keys)).toEqual(expected);
  });

  it('returns no keys if the model declares none', () => {
    expect(keysOf({}, {})).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a value that is not an object', 'customer:42'],
    ['an invalid name', { 'customer number': '42' }],
    ['an empty value', { customer: '' }],
    ['a number', { customer: 42 }],
    ['null in an array', { customer: [null] }],
    ['a value of more than 256 characters', { customer: 'x'.repeat(257) }],
    ['257 characters of four bytes', { device: '😀'.repeat(257) }],
    ['a lone surrogate', { customer: '\ud800' }],
    ['eleven keys', { n: Array.from({ length: 11 }, (_, n) => String(n)) }],
  ])('throws a TypeError for %s', (_, keys) => {
    expect(() => of(keys)).toThrow(TypeError);
  });
});

it.each([
  ['customer:42', true],
  ['a:b:c', true],
  ['customer', false],
  ['customer:', false],
  [':42', false],
  ['Customer:42', false],
])('isKey(%j) is %s', (text, expected) => {
  expect(isKey(text)).toBe(expected);
});

it('isKey accepts a value of up to 256 characters, including emoji', () => {
  expect(isKey(`c:${'😀'.repeat(256)}`)).toBe(true);
  expect(isKey(`c:${'x'.repeat(257)}`)).toBe(false);
});
