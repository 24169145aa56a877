import * as v from 'valibot';

/*
 * Schemas that several responses share. The response schemas determine the TypeScript types of responses and the API
 * description at /api/openapi.json.
 */

export const time = v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339, in UTC'));

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const json = v.pipe(v.unknown(), v.description('any JSON'));

export const cursor = v.pipe(
  v.optional(v.string()),
  v.description('the cursor of the next page; absent on the last page'),
);
