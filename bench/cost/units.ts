import { isDeepStrictEqual } from 'node:util';
import { type Item, itemBytes } from './item-size.ts';
import { type IndexShape, indexEntry } from './table-shape.ts';

/**
 * The read units of a number of bytes: one per 4 KB, half for eventually consistent reads, and at least one (or a half)
 * even if nothing is found.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function readUnits(bytes: number, { consistent }: { consistent: boolean }): number {
  return Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);
}

/**
 * The write units that a table bills for a write: one per 1 KB of the larger item before or after it. A write whose
 * condition fails is billed by the existing item.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function writeUnits(before: Item | undefined, after: Item | undefined): number {
  return kilobytes(Math.max(before ? itemBytes(before) : 0, after ? itemBytes(after) : 0));
}

/**
 * The write units that an index bills for a write to its table: one write to add, delete or update an entry, two to
 * move one, none if it does not change.
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
