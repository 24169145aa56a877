import { describe, expect, it } from 'vitest';
import { itemBytes } from '../support/item-size.ts';

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
describe('the size of a DynamoDB item', () => {
  it.each([
    ['a UTF-8 string and its name', { name: { S: 'Zoë' } }, 4 + 4],
    ['a name in UTF-8', { größe: { S: '' } }, 7],
    ['a number: one byte per two digits, plus one', { n: { N: '12345' } }, 1 + 3 + 1],
    ['a number without leading and trailing zeros', { n: { N: '0012300' } }, 1 + 2 + 1],
    ['a fraction', { n: { N: '0.0050' } }, 1 + 1 + 1],
    ['a number with an exponent', { n: { N: '1.5E+100' } }, 1 + 1 + 1],
    ['bytes, not as Base64', { b: { B: new Uint8Array(300) } }, 301],
    ['null', { none: { NULL: true } }, 5],
    ['a Boolean', { yes: { BOOL: false } }, 4],
    ['an empty list', { list: { L: [] } }, 4 + 3],
    ['an empty map', { map: { M: {} } }, 3 + 3],
    ['a list', { l: { L: [{ S: 'abc' }, { N: '1' }] } }, 1 + 3 + (1 + 3) + (1 + 2)],
    ['a map', { m: { M: { k: { S: 'abc' } } } }, 1 + 3 + (1 + 1 + 3)],
    ['a set, counted like a list', { s: { SS: ['ab', 'c'] } }, 1 + 3 + (1 + 2) + (1 + 1)],
  ])('follows the rules of AWS for %s', (_, item, bytes) => {
    expect(itemBytes(item)).toBe(bytes);
  });

  it('is the sum of the sizes of its attributes', () => {
    expect(itemBytes({ pk: { S: 'model#T-1' }, version: { N: '42' } })).toBe(2 + 9 + 7 + 2);
  });
});
