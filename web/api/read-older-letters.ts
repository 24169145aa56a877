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

/**
 * Finds the next page with a wanted dead letter, by reading the pages that follow a page.
 *
 * @param next the cursor that the API returned with the page.
 * @param isWanted selects the dead letters to find.
 * @param get reads the page that a cursor leads to.
 * @param report called with the number of dead letters that have been read.
 * @returns the cursor of the page; undefined if no later page contains a wanted dead letter.
 */
export async function findOlderPage(
  next: string,
  isWanted: (letter: LetterSummary) => boolean,
  get: (cursor: string) => Promise<DeadLetterPage>,
  report: (read: number) => void,
): Promise<string | undefined> {
  let read = 0;
  for (let cursor: string | undefined = next; cursor !== undefined; ) {
    const page: DeadLetterPage = await get(cursor);
    if (page.deadLetters.some(isWanted)) return cursor;
    report((read += page.deadLetters.length));
    ({ cursor } = page);
  }
  return undefined;
}
