import * as v from 'valibot';
import type { Item } from '../client/dynamodb.ts';

const positionSchema = v.pipe(v.string(), v.parseJson(), v.tuple([v.string(), v.string()]));

/** Returns a cursor for the position after an item in a scan of the instances table. */
export const cursorAfterItem = ({ pk, sk }: Item): string => JSON.stringify([pk!.S, sk!.S]);

/** Returns the key after which a scan continues; undefined if the cursor is malformed. */
export function keyOfCursor(cursor: string): Item | undefined {
  const read = v.safeParse(positionSchema, cursor);
  if (!read.success) return undefined;
  const [pk, sk] = read.output;
  return { pk: { S: pk }, sk: { S: sk } };
}
