import * as v from 'valibot';
import { named } from '../http/named.ts';

/** The version of the service and the results of all checks. */
export const checkList = named('CheckList', {
  version: v.pipe(v.string(), v.description('the version of Milepost')),
  checks: v.array(
    named('Check', {
      id: v.pipe(v.string(), v.description('the part of the service that was checked')),
      state: v.pipe(
        v.picklist(['ok', 'warning', 'failed', 'unknown']),
        v.description('`unknown` if the check could not be completed'),
      ),
      detail: v.string(),
      remedy: v.pipe(
        v.nullable(v.string()),
        v.description(
          'shell commands that fix the problem or show its cause, one per line; null if there are none',
        ),
      ),
    }),
  ),
});
