import { commonReason } from '../../src/core/event/dead-letter-reason.ts';
import type { LetterSummary } from '../api/types.ts';

/** Dead letters with the same common reason. */
export interface LetterGroup {
  readonly reason: string;
  /** The dead letters, newest first. */
  readonly letters: readonly [LetterSummary, ...LetterSummary[]];
}

/** Groups dead letters by their common reason, largest group first. */
export function groupLetters(letters: readonly LetterSummary[]): LetterGroup[] {
  const groups = Map.groupBy(letters, commonReason);
  return [...groups]
    .map(([reason, each]) => ({ reason, letters: each as [LetterSummary, ...LetterSummary[]] }))
    .toSorted((a, b) => b.letters.length - a.letters.length);
}

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
