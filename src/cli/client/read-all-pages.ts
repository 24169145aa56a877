import type { ApiResponse } from './api-client.ts';
import { responses } from './responses.ts';

/** The maximum number of rows that the API returns per page. */
export const maximumPageSize = 100;

/** The query parameter `limit` for pages of the maximum size. */
export const pageLimit = String(maximumPageSize);

/**
 * Reads the pages of a list one by one, each with the cursor from the previous page. `more` is false for the last page.
 */
export async function* readAllPages(
  ask: (cursor?: string) => Promise<ApiResponse>,
): AsyncGenerator<{ answer: ApiResponse; more: boolean }> {
  let cursor: string | undefined;
  do {
    // The requests are sequential because each page contains the cursor for the next page.
    const answer = await ask(cursor);
    cursor = answer.read(responses.page).cursor ?? undefined;
    yield { answer, more: cursor !== undefined };
  } while (cursor !== undefined);
}
