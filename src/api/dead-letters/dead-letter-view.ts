import type { InferOutput } from 'valibot';
import type { DeadLetter } from '../../core/event/dead-letter.ts';
import type { deadLetter } from './dead-letter-schemas.ts';

type View = InferOutput<typeof deadLetter>;

/** Builds the representation of a dead letter with the bytes of its record in Base64. */
export const deadLetterView = (letter: DeadLetter): View => ({
  ...deadLetterSummary(letter),
  raw: Buffer.from(letter.raw).toString('base64'),
});

/** Builds the representation of a dead letter without the bytes of its record. */
export const deadLetterSummary = (letter: DeadLetter): Omit<View, 'raw'> => {
  const { id, reason, at, modelId, transactionId, eventId, parked } = letter;
  return { id, reason, at, modelId, transactionId, eventId, parked: parked !== null };
};
