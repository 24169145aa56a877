import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { PageRequest } from '../../stores/paging.ts';
import { Problem } from './problem.ts';

const defaultLimit = 25;
const maximumLimit = 100;
// A transaction id in Base64 has up to 1,366 characters; a typical cursor has about 40.
const maximumCursor = 1_536;
/** The maximum length of a cursor with the partition key and the sort key of an item, both of which can be long. */
const maximumItemCursor = 6_144;

/** The lists with cursors. A cursor starts with the name of its list so that no other list accepts it. */
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
const otherRequestMessage =
  '`cursor` comes from a response to a request with a different path or different filters; repeat the path and the filters of that request, or omit `cursor`';
/** The parameters that select a page or the form of its items. These parameters can change from page to page. */
const notFilters = new Set(['limit', 'cursor', 'raw', 'full']);
/** The number of characters in a digest of a query's filters. */
const digestLength = 6;
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

/** The query parameter that continues a scan of a table. */
export const scanCursor = cursorSchema(maximumItemCursor);

/** Creates the schema of a list's cursors. @param longest the maximum length of the encoded position. */
export function cursorSchema(longest: number) {
  const pattern = new RegExp(
    `^[a-z-]{1,16}\\.[A-Za-z0-9_-]{2,${longest}}(\\.[A-Za-z0-9_-]{${digestLength}})?$`,
  );
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

type Query = Readonly<Record<string, string>>;

/**
 * Returns the `limit` and the decoded `cursor` of a validated query.
 *
 * @param query the query and, for a list in an instance or a model, the names in the path.
 * @throws Problem 404 for a malformed cursor or the cursor of another list; 400 for a cursor from a response to a
 *   request with different filters, or for another instance or model.
 */
export function pageRequest(list: ListName, query: Query): PageRequest {
  const { limit = String(defaultLimit), cursor } = query;
  return cursor === undefined
    ? { limit: Number(limit) }
    : { limit: Number(limit), cursor: decodeCursor(list, cursor, query) };
}

/** Creates the problem for a cursor that no response contained. */
export const unknownCursorProblem = () => new Problem(404, cursorMessage);

/** Encodes a position in a list as an opaque cursor. */
const encodeCursor = (list: ListName, place: string, query: Query) =>
  [list, Buffer.from(place).toString('base64url'), ...digestOf(query)].join('.');

function decodeCursor(list: ListName, cursor: string, query: Query): string {
  const [, text = ''] = cursor.split('.');
  const place = Buffer.from(text, 'base64url').toString();
  if (!cursor.startsWith(encodeCursor(list, place, {}))) throw unknownCursorProblem();
  if (encodeCursor(list, place, query) !== cursor) throw new Problem(400, otherRequestMessage);
  return place;
}

/** Returns a digest of the filters in a query; empty if there are none. */
function digestOf(query: Query): readonly string[] {
  const filters = Object.entries(query)
    .filter(([name, value]) => value !== '' && !notFilters.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (filters.length === 0) return [];
  return [hash('sha256', JSON.stringify(filters), 'base64url').slice(0, digestLength)];
}

/**
 * Returns the `cursor` member of a response, or an empty object on the last page.
 *
 * @param query the same parameters as for `pageRequest`. A request with the cursor must repeat these parameters.
 */
export function cursorMember(
  list: ListName,
  place: string | undefined,
  query: Query,
): { cursor?: string } {
  return place === undefined ? {} : { cursor: encodeCursor(list, place, query) };
}
