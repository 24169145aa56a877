import * as v from 'valibot';
import type { PageRequest } from '../../stores/paging.ts';
import { Problem } from './problem.ts';

const defaultLimit = 25;
const maximumLimit = 100;
// The longest cursors contain a transaction id in base64; a typical cursor has about 40 characters.
const maximumCursor = 1_536;

/** The lists with cursors. A cursor starts with the name of its list, so that no other list accepts it. */
type ListName =
  | 'instances'
  | 'instances-fixed'
  | 'history'
  | 'explain'
  | 'forget'
  | 'rebuild'
  | 'links'
  | 'counts'
  | 'events'
  | 'dead-letters'
  | 'redrive';

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

/** Creates the schema of a list's cursors. @param longest the maximum number of characters after the list's name */
export function cursorSchema(longest: number) {
  const pattern = new RegExp(`^[a-z-]{1,16}\\.[A-Za-z0-9_-]{2,${longest}}$`);
  return v.optional(
    v.pipe(
      v.string(cursorMessage),
      v.regex(pattern, cursorMessage),
      v.description(
        'the `cursor` of the previous response to a request with the same path and filters; omit it to get the first page',
      ),
    ),
  );
}

/**
 * Returns the page of a list that a validated query selects with `limit` and `cursor`.
 *
 * @throws Problem 404 for a cursor that no response of this list contained.
 */
export function pageRequest(list: ListName, query: Readonly<Record<string, string>>): PageRequest {
  const { limit = String(defaultLimit), cursor } = query;
  return cursor === undefined
    ? { limit: Number(limit) }
    : { limit: Number(limit), cursor: decodeCursor(list, cursor) };
}

/** Creates the problem for a cursor that no response contained. */
export const unknownCursorProblem = () => new Problem(404, cursorMessage);

/** Encodes a position in a list as an opaque cursor. */
const encodeCursor = (list: ListName, place: string) =>
  `${list}.${Buffer.from(place).toString('base64url')}`;

function decodeCursor(list: ListName, cursor: string): string {
  const place = Buffer.from(cursor.slice(cursor.indexOf('.') + 1), 'base64url').toString();
  if (encodeCursor(list, place) !== cursor) throw unknownCursorProblem();
  return place;
}

/** Returns the `cursor` member of a response, or an empty object on the last page. */
export function cursorMember(list: ListName, place: string | undefined): { cursor?: string } {
  return place === undefined ? {} : { cursor: encodeCursor(list, place) };
}
