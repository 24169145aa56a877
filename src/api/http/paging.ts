import * as v from 'valibot';
import type { PageRequest } from '../../stores/paging.ts';
import { Problem } from './problem.ts';

const defaultLimit = 25;
const maximumLimit = 100;
// Those that our answers give have some 40 characters, and the longest a transaction id in base64.
const maximumCursor = 1_536;

/** Begins every cursor, so that other texts are known to be none. */
const prefix = 'v1.';
const cursorMessage = 'cursor must be one that an earlier answer gave';
const limitMessage = `limit must be a whole number from 1 to ${maximumLimit}`;

const limitSchema = v.optional(
  v.pipe(
    v.number(limitMessage),
    v.integer(limitMessage),
    v.minValue(1, limitMessage),
    v.maxValue(maximumLimit, limitMessage),
    v.description('how many at most'),
  ),
  defaultLimit,
);

/** Schemas of the parameters by which a list is read in pages. */
export const pageQuery = { limit: limitSchema, cursor: cursorSchema(maximumCursor) } as const;

/** @param longest how many characters a cursor of this list may have. */
export function cursorSchema(longest: number) {
  const pattern = new RegExp(`^v1\\.[A-Za-z0-9_-]{2,${longest}}$`);
  return v.optional(
    v.pipe(
      v.string(cursorMessage),
      v.regex(pattern, cursorMessage),
      v.description('where to go on, as an earlier answer said'),
    ),
  );
}

/**
 * Which part of a list a request asks for, by `limit` and `cursor`, whose form is checked already.
 *
 * @throws Problem 404 for a cursor that no answer gave.
 */
export function pageRequest(query: Readonly<Record<string, string>>): PageRequest {
  const { limit = String(defaultLimit), cursor } = query;
  return cursor === undefined
    ? { limit: Number(limit) }
    : { limit: Number(limit), cursor: decodeCursor(cursor) };
}

/** The refusal of a cursor that no answer gave: the page that it asks for does not exist. */
export const unknownCursorProblem = () => new Problem(404, cursorMessage);

/** A place in a list as clients hand it back: they need not know what is in it. */
const encodeCursor = (place: string) => `${prefix}${Buffer.from(place).toString('base64url')}`;

function decodeCursor(cursor: string): string {
  const place = Buffer.from(cursor.slice(prefix.length), 'base64url').toString();
  if (encodeCursor(place) !== cursor) throw unknownCursorProblem();
  return place;
}

/** The members of an answer that say where to go on. */
export function cursorMember(place: string | undefined): { cursor?: string } {
  return place === undefined ? {} : { cursor: encodeCursor(place) };
}
