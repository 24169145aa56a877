import type { PageRequest } from '../service/ports.ts';
import { Problem } from './problem.ts';

const defaultLimit = 25;
const maximumLimit = 100;
// Those that our answers give have some 40 characters, and the longest a transaction id in base64.
const maximumCursor = 1_536;

/**
 * Which part of a list a request asks for, by `limit` and `cursor`.
 *
 * @param longest how many characters a cursor of this list may have.
 * @throws Problem 400 for what is no limit or no cursor.
 */
export function pageRequest(
  query: Readonly<Record<string, string>>,
  longest = maximumCursor,
): PageRequest {
  const limit = query.limit === undefined ? defaultLimit : Number(query.limit);
  if (!/^\d+$/.test(query.limit ?? '1') || limit < 1 || limit > maximumLimit)
    throw new Problem(400, `limit must be a whole number from 1 to ${maximumLimit}`);
  return query.cursor === undefined
    ? { limit }
    : { limit, cursor: decodeCursor(query.cursor, longest) };
}

/** A place in a list as clients hand it back: they need not know what is in it. */
const encodeCursor = (place: string) => Buffer.from(place).toString('base64url');

function decodeCursor(cursor: string, longest: number): string {
  const place = Buffer.from(cursor, 'base64url').toString();
  if (place === '' || cursor.length > longest || encodeCursor(place) !== cursor)
    throw new Problem(400, 'cursor must be one that an earlier answer gave');
  return place;
}

/** The members of an answer that say where to go on. */
export function cursorMember(place: string | undefined): { cursor?: string } {
  return place === undefined ? {} : { cursor: encodeCursor(place) };
}
