import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transformInput, valueAt } from '../../../src/aws-local/eventbridge/input-transformer.ts';

const event = {
  id: 'e-1',
  'detail-type': 'order.paid',
  detail: { orderId: 'O-1', total: 42.5, lines: [{ sku: 'A' }, { sku: 'B' }], note: 'a "b" <c>' },
};

describe('an input transformer', () => {
  it.each([
    ['a string', '{"a":<v>}', '$.detail.orderId', '{"a":"O-1"}'],
    ['a number', '{"a":<v>}', '$.detail.total', '{"a":42.5}'],
    ['an object', '{"a":<v>}', '$.detail.lines[1]', '{"a":{"sku":"B"}}'],
    ['an element of a list', '{"a":<v>}', '$.detail.lines[0].sku', '{"a":"A"}'],
    ['a string inside a string', '{"a":"is <v>."}', '$.detail.orderId', '{"a":"is O-1."}'],
    ['a field whose name has a hyphen', '[<v>]', '$.detail-type', '["order.paid"]'],
    ['a string with quotation marks', '{"a":<v>}', '$.detail.note', '{"a":"a \\"b\\" <c>"}'],
    ['nothing for a missing value', '{"a":<v>}', '$.detail.none', '{"a":}'],
    ['nothing inside a string for a missing value', '{"a":"<v>!"}', '$.detail.none', '{"a":"!"}'],
  ])('inserts %s', (_, InputTemplate, path, expected) => {
    expect(transformInput({ InputTemplate, InputPathsMap: { v: path } }, event)).toBe(expected);
  });

  it('inserts any value as JSON, so that the input remains valid JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        const made = transformInput(
          { InputPathsMap: { v: '$.detail' }, InputTemplate: '{"a":<v>,"b":"x"}' },
          { detail: JSON.parse(json) as unknown },
        );
        expect(made).toBe(`{"a":${json},"b":"x"}`);
      }),
    );
  });

  it('treats properties of prototypes and strings as missing', () => {
    expect(valueAt('$.constructor', event)).toBeUndefined();
    expect(valueAt('$.id.length', event)).toBeUndefined();
    expect(valueAt('$', event)).toBe(event);
  });
});
