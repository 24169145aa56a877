import * as v from 'valibot';
import { named } from '../http/named.ts';
import { count, json, time } from '../http/schema-values.ts';
import { asOf } from './instance-schemas.ts';

const setBy = named('FieldOrigin', {
  version: v.pipe(count, v.description('the version of the commit that contains the event')),
  at: time,
  modelVersion: count,
  event: named('EventReference', { id: v.string(), source: v.string(), type: v.string(), time }),
});

/** The event that set each field of a state. */
export const explanation = named('Explanation', {
  asOf,
  fields: v.array(
    named('ExplainedField', {
      path: v.pipe(
        v.string(),
        v.description('the location of the field in the state: a JSON Pointer (RFC 6901)'),
      ),
      value: v.optional(json),
      removed: v.pipe(
        v.optional(v.literal(true)),
        v.description(
          'true if the requested field no longer exists; the event in `setBy` removed it',
        ),
      ),
      setBy: v.pipe(
        v.nullable(setBy),
        v.description(
          'null if the field was set before the commits that this request read; a later page explains the field',
        ),
      ),
      pathBefore: v.pipe(
        v.optional(v.string()),
        v.description('the path of the same field on the next page, if `setBy` is null'),
      ),
    }),
  ),
  cursor: v.pipe(
    v.optional(v.string()),
    v.description(
      'the cursor that continues with earlier commits; absent if every field is explained',
    ),
  ),
});
