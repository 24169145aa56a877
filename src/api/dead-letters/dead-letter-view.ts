import type { InferOutput } from 'valibot';
import type { DeadLetter } from '../../core/event/dead-letter.ts';
import type { deadLetter } from './dead-letter-schemas.ts';

/** A dead letter with the bytes of its record in base64. */
export function deadLetterView(letter: DeadLetter): InferOutput<typeof deadLetter> {
  const { id, reason, at, modelId, transactionId, eventId } = letter;
  const raw = Buffer.from(letter.raw).toString('base64');
  return { id, reason, at, modelId, transactionId, eventId, raw };
}
