import * as v from 'valibot';
import { count, json, time } from '../http/schema-values.ts';
import { asOf } from './instance-schemas.ts';

const setBy = v.object({
  version: v.pipe(count, v.description('the commit that applied it')),
  at: time,
  modelVersion: count,
  event: v.object({ id: v.string(), source: v.string(), type: v.string(), time }),
});

/** The event that set each field of a state. */
export const explanation = v.object({
  asOf,
  fields: v.array(
    v.object({
      path: v.pipe(v.string(), v.description('a JSON Pointer, RFC 6901')),
      value: v.optional(json),
      removed: v.pipe(
        v.optional(v.literal(true)),
        v.description('the requested field no longer exists; `setBy` removed it'),
      ),
      setBy: v.pipe(
        v.nullable(setBy),
        v.description(
          'null: set before the commits that this response read; the next page explains it',
        ),
      ),
      pathBefore: v.pipe(
        v.optional(v.string()),
        v.description('if `setBy` is null: the path of the same field on the next page'),
      ),
    }),
  ),
  cursor: v.pipe(
    v.optional(v.string()),
    v.description('send it to read earlier commits; absent when every field is explained'),
  ),
});
