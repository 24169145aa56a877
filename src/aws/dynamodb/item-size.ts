import { MilepostError } from '../../core/errors.ts';
import type { Item } from '../client/dynamodb.ts';

/**
 * The maximum size of a DynamoDB item, in bytes.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export const maximumItemBytes = 400 * 1024;
/** The maximum length of a sort key, in a table or an index, in bytes of UTF-8. */
export const maximumSortKeyBytes = 1024;

/**
 * Computes the size, in bytes, that DynamoDB counts for an item that contains only strings, numbers, binary values, and
 * booleans.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const [name, { S, N, B }] of Object.entries(item)) {
    bytes += Buffer.byteLength(name);
    if (S !== undefined) bytes += Buffer.byteLength(S);
    else if (B !== undefined) bytes += B.byteLength;
    // A number uses about one byte for every two significant digits, plus one byte. Add another byte so that the
    // estimate is not too low.
    else bytes += N === undefined ? 1 : Math.ceil(N.length / 2) + 2;
  }
  return bytes;
}

/**
 * Returns an error if an item is too large to write; undefined if it fits.
 *
 * @param what the name of the item in the error message.
 */
export function tooLargeForItem(item: Item, what: string): MilepostError | undefined {
  const bytes = itemBytes(item);
  if (bytes <= maximumItemBytes) return undefined;
  return new MilepostError(
    'too-large',
    `${what} would take ${bytes} bytes; a DynamoDB item can take at most ${maximumItemBytes} bytes`,
  );
}
