import * as v from 'valibot';
import { named } from '../http/named.ts';
import { count, cursor, json, time } from '../http/schema-values.ts';

/** A history entry: an event with its outcome and the state after it. */
export const entry = named('HistoryEntry', {
  version: v.pipe(count, v.description('the version of the commit that contains the entry')),
  modelVersion: v.pipe(count, v.description('the version of the model that processed the event')),
  at: time,
  event: named('RecordedEvent', {
    id: v.string(),
    source: v.string(),
    type: v.string(),
    time,
    replyto: v.pipe(
      v.optional(v.string()),
      v.description('the instance that receives the outcome'),
    ),
    data: json,
  }),
  outcome: v.picklist(['applied', 'rejected']),
  reason: v.nullable(v.string()),
  status: v.pipe(v.string(), v.description('the status after the event')),
  state: v.pipe(json, v.description('the state after the event')),
});

export const entryPage = named('HistoryPage', { entries: v.array(entry), cursor });
