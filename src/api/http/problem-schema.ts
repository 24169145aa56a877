import * as v from 'valibot';
import { count } from './schema-values.ts';

/** A problem response (RFC 9457). */
export const problem = v.pipe(
  v.looseObject({
    title: v.string(),
    status: v.number(),
    detail: v.string(),
    errors: v.pipe(
      v.optional(v.array(v.object({ index: count, detail: v.string() }))),
      v.description('the invalid events of a request, by index'),
    ),
  }),
  v.title('Problem'),
);
