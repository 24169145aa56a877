import type { ApiResponse } from './api-client.ts';
import { responses } from './responses.ts';

/** Reads the pages of a list one by one, each with the cursor that the previous page returned. */
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
