import type { LetterSummary } from '../api/types.ts';

/** Dead letters with the same reason, ignoring event ids in the reason. */
export interface LetterGroup {
  readonly reason: string;
  /** The letters, newest first. */
  readonly letters: readonly [LetterSummary, ...LetterSummary[]];
}

/**
 * Groups dead letters by reason, the largest group first. Ignores event ids, which the reasons of a model's faults
 * contain.
 */
export function groupLetters(letters: readonly LetterSummary[]): LetterGroup[] {
  const groups = Map.groupBy(letters, reasonOf);
  return [...groups]
    .map(([reason, each]) => ({ reason, letters: each as [LetterSummary, ...LetterSummary[]] }))
    .toSorted((a, b) => b.letters.length - a.letters.length);
}

/** Returns the reason of a dead letter's group. */
export const reasonOf = ({ reason, eventId }: LetterSummary) =>
  eventId === null || eventId === '' ? reason : reason.replaceAll(` ${eventId}:`, ':');

/**
 * Returns true if the reason, with or without the event id, the instance or one of the ids of a dead letter contains a
 * text, regardless of case.
 */
export function matchesText(letter: LetterSummary, text: string): boolean {
  const { id, reason, modelId, transactionId, eventId } = letter;
  const instance = [modelId, transactionId].filter(Boolean).join('/');
  const wanted = text.trim().toLowerCase();
  return [id, reason, reasonOf(letter), instance, eventId].some((each) =>
    each?.toLowerCase().includes(wanted),
  );
}
