import * as v from 'valibot';
import type { PageRequest } from '../../stores/paging.ts';
import { Problem } from './problem.ts';

const defaultLimit = 25;
const maximumLimit = 100;
// The longest cursors contain a transaction id in base64; a typical cursor has about 40 characters.
const maximumCursor = 1_536;

/** The start of every cursor, which distinguishes it from other text. */
const prefix = 'v1.';
const cursorMessage =
  '`cursor` must come from an earlier response; omit it to start at the beginning';
const limitMessage = ({ received }: v.BaseIssue<unknown>) =>
  `\`limit\` must be an integer from 1 to ${maximumLimit}; got ${received}`;

const limitSchema = v.optional(
  v.pipe(
    v.number(limitMessage),
    v.integer(limitMessage),
    v.minValue(1, limitMessage),
    v.maxValue(maximumLimit, limitMessage),
    v.description('the maximum number of items in the response'),
  ),
  defaultLimit,
);

/** The query parameters of a list: `limit` and `cursor`. */
export const pageQuery = { limit: limitSchema, cursor: cursorSchema(maximumCursor) } as const;

/** Creates the schema of a list's cursors. @param longest the maximum number of characters of a cursor */
export function cursorSchema(longest: number) {
  const pattern = new RegExp(`^v1\\.[A-Za-z0-9_-]{2,${longest}}$`);
  return v.optional(
    v.pipe(
      v.string(cursorMessage),
      v.regex(pattern, cursorMessage),
      v.description('the `cursor` of the previous response; omit it to get the first page'),
    ),
  );
}

/**
 * Returns the page that a validated query selects with `limit` and `cursor`.
 *
 * @throws Problem 404 for a cursor that no response contained.
 */
export function pageRequest(query: Readonly<Record<string, string>>): PageRequest {
  const { limit = String(defaultLimit), cursor } = query;
  return cursor === undefined
    ? { limit: Number(limit) }
    : { limit: Number(limit), cursor: decodeCursor(cursor) };
}

/** Creates the problem for a cursor that no response contained. */
export const unknownCursorProblem = () => new Problem(404, cursorMessage);

/** Encodes a position in a list as an opaque cursor. */
const encodeCursor = (place: string) => `${prefix}${Buffer.from(place).toString('base64url')}`;

function decodeCursor(cursor: string): string {
  const place = Buffer.from(cursor.slice(prefix.length), 'base64url').toString();
  if (encodeCursor(place) !== cursor) throw unknownCursorProblem();
  return place;
}

/** Returns the `cursor` member of a response, or an empty object on the last page. */
export function cursorMember(place: string | undefined): { cursor?: string } {
  return place === undefined ? {} : { cursor: encodeCursor(place) };
}
