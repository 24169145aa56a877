import type { ApiResponse } from './api-client.ts';
import { responses } from './responses.ts';

/** Reads the pages of a list, each with the cursor of the previous page. */
export async function* readAllPages(
  ask: (cursor?: string) => Promise<ApiResponse>,
): AsyncGenerator<{ answer: ApiResponse; more: boolean }> {
  let cursor: string | undefined;
  do {
    // The requests are sequential, because each page contains the cursor of the next page.
    const answer = await ask(cursor);
    cursor = answer.read(responses.page).cursor ?? undefined;
    yield { answer, more: cursor !== undefined };
  } while (cursor !== undefined);
}
