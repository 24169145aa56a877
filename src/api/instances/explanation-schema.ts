import * as v from 'valibot';
import { count, json, time } from '../http/schema-values.ts';
import { asOf } from './instance-schemas.ts';

const setBy = v.object({
  version: v.pipe(count, v.description('the commit that applied it')),
  at: time,
  modelVersion: count,
  event: v.object({ id: v.string(), source: v.string(), type: v.string(), time }),
});

/** Which event set each field of a state. */
export const explanation = v.object({
  asOf,
  fields: v.array(
    v.object({
      path: v.pipe(v.string(), v.description('a JSON Pointer, RFC 6901')),
      value: v.optional(json),
      removed: v.pipe(
        v.optional(v.literal(true)),
        v.description('the field that was asked for is not there any more; setBy removed it'),
      ),
      setBy: v.pipe(
        v.nullable(setBy),
        v.description('null: further back than this answer looked; the next one says'),
      ),
      pathBefore: v.pipe(
        v.optional(v.string()),
        v.description('with null: the path of the same field in the next answer'),
      ),
    }),
  ),
  cursor: v.pipe(
    v.optional(v.string()),
    v.description('hand it back to look further back; none when all is explained'),
  ),
});
