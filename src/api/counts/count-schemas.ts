import * as v from 'valibot';
import { count, cursor } from '../http/schema-values.ts';

/** A page of instance counts of one model. */
export const countPage = v.object({
  model: v.string(),
  by: v.pipe(v.string(), v.description('the requested grouping')),
  counts: v.array(
    v.object({
      value: v.pipe(
        v.string(),
        v.description('the status, the day or the value of the business key'),
      ),
      instances: count,
    }),
  ),
  cursor,
});

/** The progress of a rebuild of the counters. */
export const counterRebuild = v.object({
  step: v.pipe(
    v.picklist(['waiting', 'counting', 'deleting', 'done']),
    v.description(
      '`waiting`: counting begins in a few seconds; `counting`: instances are being counted; `deleting`: the new counters are in use, and the earlier ones are being deleted; `done`',
    ),
  ),
  rows: v.pipe(count, v.description('the number of instances counted so far')),
});
