import * as v from 'valibot';
import { deadLetterSummarySchema } from '../dead-letters/dead-letter-schemas.ts';
import { named } from '../http/named.ts';
import { count, cursor, time } from '../http/schema-values.ts';
import { summary } from '../instances/instance-schemas.ts';

/** The instances and dead letters that a search found. */
export const searchResults = named('SearchResults', {
  instances: v.pipe(
    v.array(summary),
    v.description('instances whose transaction id starts with the text, latest change first'),
  ),
  byKey: v.pipe(
    v.array(summary),
    v.description('instances with this business key, latest change first'),
  ),
  deadLetters: v.pipe(
    v.array(deadLetterSummarySchema),
    v.description(
      'the dead letter with this id; if there is none, those among the newest 100 with this event id or transaction id',
    ),
  ),
});

/** The result of searching part of the histories for an event id. */
export const foundEvents = named('EventSearchPage', {
  events: v.array(
    named('FoundEvent', {
      model: v.string(),
      transaction: v.string(),
      version: v.pipe(count, v.description('the version of the commit that contains the event')),
      id: v.string(),
      source: v.string(),
      type: v.string(),
      time,
    }),
  ),
  itemsRead: v.pipe(
    count,
    v.description('the number of items in the instances table that this request read'),
  ),
  cursor,
});
