import type { LetterSummary } from '../api/types.ts';

/** Dead letters with the same reason, apart from the id of the event. */
export interface LetterGroup {
  readonly reason: string;
  /** The letters, newest first. */
  readonly letters: readonly [LetterSummary, ...LetterSummary[]];
}

/** Groups dead letters by reason, the largest group first. The reasons of a model's faults contain the ids of events. */
export function groupLetters(letters: readonly LetterSummary[]): LetterGroup[] {
  const groups = Map.groupBy(letters, reasonOf);
  return [...groups]
    .map(([reason, each]) => ({ reason, letters: each as [LetterSummary, ...LetterSummary[]] }))
    .toSorted((a, b) => b.letters.length - a.letters.length);
}

const reasonOf = ({ reason, eventId }: LetterSummary) =>
  eventId === null || eventId === '' ? reason : reason.replaceAll(` ${eventId}:`, ':');

/** True if a dead letter contains a text in its reason, its ids, or the name of its model, regardless of case. */
export function matchesText(letter: LetterSummary, text: string): boolean {
  const { id, reason, modelId, transactionId, eventId } = letter;
  const wanted = text.trim().toLowerCase();
  return [id, reason, modelId, transactionId, eventId].some((each) =>
    each?.toLowerCase().includes(wanted),
  );
}
