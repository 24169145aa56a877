import { MilepostError } from '../../core/errors.ts';
import type { Item } from '../client/dynamodb.ts';

/**
 * The largest item that DynamoDB takes, in bytes.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export const maximumItemBytes = 400 * 1024;
/** The longest sort key, of a table or an index, in bytes of UTF-8. */
export const maximumSortKeyBytes = 1024;

/**
 * How many bytes DynamoDB counts for an item of texts, numbers, bytes and flags.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const [name, { S, N, B }] of Object.entries(item)) {
    bytes += Buffer.byteLength(name);
    if (S !== undefined) bytes += Buffer.byteLength(S);
    else if (B !== undefined) bytes += B.byteLength;
    // Two digits a byte, and one more; at most 38 digits count.
    else bytes += N === undefined ? 1 : Math.ceil(N.length / 2) + 2;
  }
  return bytes;
}

/**
 * Why an item cannot be written; undefined where it can.
 *
 * @param what names it in the message.
 */
export function tooLargeForItem(item: Item, what: string): MilepostError | undefined {
  const bytes = itemBytes(item);
  if (bytes <= maximumItemBytes) return undefined;
  return new MilepostError(
    'too-large',
    `${what} would take ${bytes} bytes in DynamoDB, and an item may have ${maximumItemBytes}`,
  );
}
