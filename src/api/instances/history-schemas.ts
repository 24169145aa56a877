import * as v from 'valibot';
import { count, cursor, json, time } from '../http/schema-values.ts';

/** An event of an instance's history, with what became of it. */
export const entry = v.object({
  version: v.pipe(count, v.description('the commit that applied it')),
  modelVersion: v.pipe(count, v.description('the version of the model that applied it')),
  at: time,
  event: v.object({
    id: v.string(),
    source: v.string(),
    type: v.string(),
    time,
    replyto: v.pipe(v.optional(v.string()), v.description('who hears the outcome')),
    data: json,
  }),
  outcome: v.picklist(['applied', 'rejected']),
  reason: v.nullable(v.string()),
  status: v.pipe(v.string(), v.description('after it')),
  state: v.pipe(json, v.description('after it')),
});

export const entryPage = v.object({ entries: v.array(entry), cursor });
