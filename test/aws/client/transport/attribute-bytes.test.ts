import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  encodeBytes,
  parseWithBytes,
} from '../../../../src/aws/client/transport/attribute-bytes.ts';

const bytes = fc.uint8Array().map((each) => Buffer.from(each));
const name = fc.constantFrom('B', 'BS', 'S', 'M', 'pk', '');
const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.record({ S: fc.string() }),
    fc.record({ N: fc.integer().map(String) }),
    fc.record({ BOOL: fc.boolean() }),
    fc.record({ B: bytes }),
    fc.record({ BS: fc.array(bytes, { minLength: 1 }) }),
    fc.record({ SS: fc.array(fc.string(), { minLength: 1 }) }),
    fc.record({ L: fc.array(tie('value')) }),
    fc.record({ M: fc.dictionary(name, tie('value')) }),
  ),
}));
const item = fc.dictionary(name, value);

it('parseWithBytes restores any item that encodeBytes encoded', () => {
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const sent = JSON.stringify(encodeBytes({ Items: items }));
      expect(parseWithBytes(sent)).toEqual({ Items: items });
    }),
  );
});

it('encodeBytes returns values without bytes unchanged', () => {
  const input = { Item: { pk: { S: 'a' }, list: { L: [{ M: { n: { N: '1' } } }] } } };
  expect(encodeBytes(input)).toBe(input);
});
