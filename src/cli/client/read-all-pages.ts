import type { ApiResponse } from './api-client.ts';
import { responses } from './responses.ts';

/** Asks again and again, each time with the cursor that the answer before gave, while there is one. */
export async function* readAllPages(
  ask: (cursor?: string) => Promise<ApiResponse>,
): AsyncGenerator<{ answer: ApiResponse; more: boolean }> {
  let cursor: string | undefined;
  do {
    // Each page names the next one, so they can only be asked for one after the other.
    const answer = await ask(cursor);
    cursor = answer.read(responses.page).cursor ?? undefined;
    yield { answer, more: cursor !== undefined };
  } while (cursor !== undefined);
}
