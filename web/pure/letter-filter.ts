import { commonReason } from '../../src/core/event/dead-letter-reason.ts';
import type { LetterSummary } from '../api/types.ts';

/**
 * Returns true if a dead letter's id, event id, instance, reason, or common reason contains the given text, ignoring
 * case.
 */
export function matchesText(letter: LetterSummary, text: string): boolean {
  const { id, reason, modelId, transactionId, eventId } = letter;
  const instance = [modelId, transactionId].filter(Boolean).join('/');
  const wanted = text.trim().toLowerCase();
  return [id, reason, commonReason(letter), instance, eventId].some((each) =>
    each?.toLowerCase().includes(wanted),
  );
}
