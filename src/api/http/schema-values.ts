import * as v from 'valibot';
/*
 * Parts of several answers. The types of the views follow from the schemas of answers, and so does the
 * description at /api/openapi.json.
 */

export const time = v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339, in UTC'));

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const json = v.pipe(v.unknown(), v.description('any JSON'));

export const cursor = v.pipe(
  v.optional(v.string()),
  v.description('hand it back to go on; none at the end of the list'),
);
