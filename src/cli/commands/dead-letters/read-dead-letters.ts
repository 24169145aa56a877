import type { ApiClient } from '../../client/api-client.ts';
import { pageLimit, readAllPages } from '../../client/read-all-pages.ts';
import { type DeadLetterSummary, responses } from '../../client/responses.ts';
import { count } from '../../output/format.ts';
import type { ProgressLine } from '../../output/progress-line.ts';

/** Reads all dead letters without the bytes of their records, newest first, and shows how many it has read. */
export async function readDeadLetters(
  api: ApiClient,
  progress: ProgressLine,
): Promise<DeadLetterSummary[]> {
  const ask = (cursor?: string) =>
    api.get('/dead-letters', { limit: pageLimit, raw: 'false', cursor });
  const letters: DeadLetterSummary[] = [];
  for await (const { answer } of readAllPages(ask)) {
    letters.push(...answer.read(responses.deadLetterSummaries).deadLetters);
    progress.show(undefined, `read ${count(letters.length, 'dead letter')}`);
  }
  return letters;
}
