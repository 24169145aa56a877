import type { DeadLetterPage, LetterSummary } from './types.ts';

/**
 * Reads the dead letters on the pages after a page of the list, which are older.
 *
 * @param next the cursor of the page; undefined if it is the last one.
 * @param isWanted selects the dead letters to return.
 * @param get reads the page with a cursor.
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
