import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** A DynamoDB item as the low-level client represents it. */
export type Item = Readonly<Record<string, AttributeValue>>;

/**
 * Computes the billed size of an item in bytes: names and strings in UTF-8, numbers by significant digits, binary
 * values as raw bytes, lists and maps as 3 bytes plus 1 per element. AWS does not document the overhead of sets; they
 * are counted like lists so that the result is not too low.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) bytes += utf8(name) + valueBytes(value);
  return bytes;
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return utf8(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return value.B.byteLength;
  if (value.SS !== undefined) return elements(value.SS, utf8);
  if (value.NS !== undefined) return elements(value.NS, numberBytes);
  if (value.BS !== undefined) return elements(value.BS, (each) => each.byteLength);
  if (value.L !== undefined) return elements(value.L, valueBytes);
  if (value.M !== undefined)
    return elements(Object.entries(value.M), ([name, each]) => utf8(name) + valueBytes(each));
  // Null and Boolean values take 1 byte.
  return 1;
}

/**
 * Returns the size of a number: one byte per two significant digits, plus one. Leading and trailing zeros are ignored.
 */
function numberBytes(text: string): number {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[-+.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  return Math.ceil(digits.length / 2) + 1;
}

const utf8 = (text: string) => Buffer.byteLength(text);

/** Returns the size of the elements of a list, a map, or a set, with the overhead. */
const elements = <Value>(values: readonly Value[], bytesOf: (value: Value) => number): number =>
  values.reduce((total, value) => total + 1 + bytesOf(value), 3);
