import type { DeadLetterPage, LetterSummary } from './types.ts';

/**
 * Reads all pages of the list that follow a page, to get older dead letters.
 *
 * @param next the cursor that the API returned with the page; undefined if the page is the last one.
 * @param isWanted selects the dead letters to return.
 * @param get reads the page that a cursor leads to.
 * @returns the dead letters, newest first.
 */
export async function readOlderLetters(
  next: string | undefined,
  isWanted: (letter: LetterSummary) => boolean,
  get: (cursor: string) => Promise<DeadLetterPage>,
): Promise<LetterSummary[]> {
  const letters: LetterSummary[] = [];
  for (let cursor = next; cursor !== undefined; ) {
    const page = await get(cursor);
    letters.push(...page.deadLetters.filter(isWanted));
    ({ cursor } = page);
  }
  return letters;
}
