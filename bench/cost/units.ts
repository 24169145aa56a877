import { isDeepStrictEqual } from 'node:util';
import { type Item, itemBytes } from '../../test/support/item-size.ts';
import { type IndexShape, indexEntry } from './table-shape.ts';

/**
 * Computes the read units of a request. A consistent read uses one unit per 4 KB and at least one unit, even if it
 * finds no item. An eventually consistent read uses half as many units.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function readUnits(bytes: number, { consistent }: { consistent: boolean }): number {
  return Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);
}

/**
 * Computes the write units of a write to a table: one unit per 1 KB of the item before or after the write, whichever is
 * larger. A write whose condition fails uses units for the existing item.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function writeUnits(before: Item | undefined, after: Item | undefined): number {
  return kilobytes(Math.max(before ? itemBytes(before) : 0, after ? itemBytes(after) : 0));
}

/**
 * Computes the write units that a write to a table uses in an index. Adding, deleting, or updating an entry is one
 * write, and moving an entry is two writes. An unchanged entry uses no units.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 */
export function indexWriteUnits(
  index: IndexShape,
  before: Item | undefined,
  after: Item | undefined,
): number {
  const old = before && indexEntry(index, before);
  const fresh = after && indexEntry(index, after);
  if (!old || !fresh) return old || fresh ? writeUnits(old, fresh) : 0;
  if (index.key.some((name) => !isDeepStrictEqual(old[name], fresh[name])))
    return writeUnits(old, undefined) + writeUnits(undefined, fresh);
  return isDeepStrictEqual(old, fresh) ? 0 : writeUnits(old, fresh);
}

const kilobytes = (bytes: number) => Math.max(1, Math.ceil(bytes / 1024));
