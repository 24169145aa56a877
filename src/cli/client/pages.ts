import { answers } from './answers.ts';
import type { Answer } from './api-client.ts';

/** Asks again and again, each time with the cursor that the answer before gave, while there is one. */
export async function* pages(
  ask: (cursor?: string) => Promise<Answer>,
): AsyncGenerator<{ answer: Answer; more: boolean }> {
  let cursor: string | undefined;
  do {
    // Each page names the next one, so they can only be asked for one after the other.
    const answer = await ask(cursor);
    cursor = answer.read(answers.page).cursor ?? undefined;
    yield { answer, more: cursor !== undefined };
  } while (cursor !== undefined);
}
