import * as v from 'valibot';
import { named } from '../http/named.ts';
import { count, cursor } from '../http/schema-values.ts';

/** A page of instance counts for one model. */
export const countPage = named('CountPage', {
  model: v.string(),
  by: v.pipe(v.string(), v.description('the requested grouping')),
  counts: v.array(
    named('GroupCount', {
      value: v.pipe(
        v.string(),
        v.description('the status, the day, or the value of the business key'),
      ),
      instances: count,
    }),
  ),
  cursor,
});

/** The progress of a counter rebuild. */
export const counterRebuild = named('CounterRebuild', {
  step: v.pipe(
    v.picklist(['waiting', 'counting', 'deleting', 'done']),
    v.description(
      '`waiting`: counting begins in a few seconds; `counting`: instances are being counted; `deleting`: the new counters are in use, and the earlier ones are being deleted; `done`',
    ),
  ),
  rows: v.pipe(count, v.description('the number of instances counted so far')),
});
