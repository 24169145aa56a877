import { readPages } from '../observe/read-pages.ts';

interface Letter {
  readonly modelId: string | null;
  readonly transactionId: string | null;
  readonly reason: string;
}

/**
 * Requests a redrive of every instance that a dead letter names. Most of them have parked events.
 *
 * @returns the number of instances whose redrive the service accepted
 */
export async function redriveAll(api: string): Promise<number> {
  const letters = await readPages<Letter>(api, '/api/dead-letters', 'deadLetters');
  const named = letters.flatMap(({ modelId, transactionId }) =>
    modelId === null || transactionId === null
      ? []
      : `/api/instances/${modelId}/${encodeURIComponent(transactionId)}`,
  );
  let redriven = 0;
  for (const path of new Set(named)) {
    const { ok } = await fetch(`${api}${path}/redrive`, { method: 'POST' });
    if (ok) redriven += 1;
  }
  return redriven;
}
