import * as v from 'valibot';
import { count, cursor, time } from '../http/schema-values.ts';

/** A dead letter: a rejected record or a parked event. */
export const deadLetter = v.object({
  id: v.string(),
  reason: v.string(),
  at: time,
  modelId: v.nullable(v.string()),
  transactionId: v.nullable(v.string()),
  eventId: v.nullable(v.string()),
  raw: v.pipe(v.string(), v.base64(), v.description('the bytes of the record in base64')),
});

export const deadLetterPage = v.object({ deadLetters: v.array(deadLetter), cursor });

/** The number of events that a redrive put back on the stream. */
export const redriven = v.object({ redriven: count });

export const redrivenPage = v.object({ redriven: count, cursor });
