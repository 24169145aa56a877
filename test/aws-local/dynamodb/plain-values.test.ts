import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations, validate } from '../../../src/aws-local/dynamodb/dynalite-operations.ts';
import { createDynalite } from '../../../src/aws-local/dynamodb/dynalite-store.ts';
import { isPlain } from '../../../src/aws-local/dynamodb/plain-values.ts';

describe('a plain value', () => {
  it.each<[string, object]>([
    ['a string', { S: '' }],
    ['an integer', { N: '-120' }],
    ['a fraction', { N: '0.05' }],
    ['a number with 38 digits', { N: '9'.repeat(38) }],
    ['bytes', { B: 'AQI=' }],
    ['a boolean', { BOOL: false }],
    ['null', { NULL: true }],
    ['a map', { M: { a: { M: { b: { S: 'c' } } } } }],
  ])('can be %s', (_, value) => {
    expect(isPlain({ value })).toBe(true);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a string without a type', 'text'],
    ['a list', []],
    ['a value without a type', {}],
    ['a value of two types', { S: '', N: '1' }],
    ['a string of the wrong type', { S: 1 }],
    ['a number of the wrong type', { N: 'one' }],
    ['a number that is not normalized', { N: '1.0' }],
    ['minus zero', { N: '-0' }],
    ['a number with 39 digits', { N: '9'.repeat(39) }],
    ['a number with an exponent', { N: '1e3' }],
    ['bytes that are not Base64', { B: 'AQI' }],
    ['bytes with unused bits that are set', { B: 'AQJ=' }],
    ['a boolean of the wrong type', { BOOL: 'true' }],
    ['null with the value false', { NULL: false }],
    ['a list of values', { L: [] }],
    ['a set', { SS: ['a'] }],
    ['a map with a value that is not plain', { M: { a: { N: '' } } }],
    [
      'a map with an attribute that dynalite cannot read',
      { M: JSON.parse('{"__proto__":{"S":""}}') },
    ],
    ['a value that is too long', { S: 'x'.repeat(150_000) }],
  ])('cannot be %s', (_, value) => {
    expect(isPlain({ value })).toBe(false);
  });

  it('passes the complete validation unchanged', () => {
    const { store } = createDynalite(null);
    const number = fc.oneof(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
      fc.double({ noNaN: true }).map(String),
      fc.stringMatching(/^-?[0-9]{1,4}\.?[0-9]{0,4}$/),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        fc.record({ S: fc.string() }),
        fc.record({ N: number }),
        fc.record({ B: fc.oneof(fc.base64String(), fc.string()) }),
        fc.record({ BOOL: fc.boolean() }),
        fc.record({ NULL: fc.boolean() }),
        fc.record({ M: fc.dictionary(fc.string({ minLength: 1 }), tie('any'), { maxKeys: 3 }) }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (one) => {
        const Item = { value: one };
        fc.pre(isPlain(Item));
        const request = structuredClone({ TableName: 'table', Item });
        expect(validate(store, operations.PutItem.rules, request)).toEqual({
          TableName: 'table',
          Item,
        });
      }),
    );
  });
});
