import * as v from 'valibot';
import { named } from '../http/named.ts';
import { count, cursor, time } from '../http/schema-values.ts';

const raw = v.pipe(v.string(), v.base64(), v.description('the bytes of the record in Base64'));

const summary = {
  id: v.string(),
  reason: v.string(),
  at: time,
  modelId: v.nullable(v.string()),
  transactionId: v.nullable(v.string()),
  eventId: v.nullable(v.string()),
  parked: v.pipe(
    v.boolean(),
    v.description('true for a parked event of an instance, false for a rejected record'),
  ),
};

/** A dead letter: a rejected record or a parked event. */
export const deadLetter = named('DeadLetter', { ...summary, raw });

/** A dead letter without the bytes of its record. */
export const deadLetterSummarySchema = named('DeadLetterSummary', summary);

export const deadLetterPage = named('DeadLetterPage', {
  deadLetters: v.array(named('ListedDeadLetter', { ...summary, raw: v.exactOptional(raw) })),
  cursor,
});

/** The number of redriven dead letters or, if an instance is redriven, of its parked events. */
export const redriven = named('RedriveResult', { redriven: count });

export const redrivenPage = named('RedrivePage', { redriven: count, cursor });
