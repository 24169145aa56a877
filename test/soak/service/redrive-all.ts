import { setTimeout as pause } from 'node:timers/promises';
import { readPages } from '../observe/read-pages.ts';

interface Letter {
  readonly modelId: string | null;
  readonly transactionId: string | null;
  readonly reason: string;
}

/** The time limit for retries of a request, in milliseconds: longer than any planned fault. */
const timeoutMs = 60_000;
const retryPauseMs = 500;

/**
 * Requests a redrive of every instance that a dead letter names. Most of these instances have parked events. Retries
 * failed requests, as an operator would.
 *
 * @returns the number of instances whose redrive the service accepted
 * @throws Error if a request fails for a minute
 */
export async function redriveAll(api: string): Promise<number> {
  const letters = await untilItSucceeds(() =>
    readPages<Letter>(api, '/api/dead-letters', 'deadLetters'),
  );
  const named = letters.flatMap(({ modelId, transactionId }) =>
    modelId === null || transactionId === null
      ? []
      : `/api/instances/${modelId}/${encodeURIComponent(transactionId)}`,
  );
  let redriven = 0;
  for (const path of new Set(named))
    if (await untilItSucceeds(() => redrive(`${api}${path}`))) redriven += 1;
  return redriven;
}

/** Returns false if the service rejects the request, for example because the instance does not exist. */
async function redrive(url: string): Promise<boolean> {
  const { ok, status } = await fetch(`${url}/redrive`, {
    method: 'POST',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (status >= 500) throw new Error(`${url}: ${status}`);
  return ok;
}

async function untilItSucceeds<Result>(request: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(retryPauseMs);
    }
  }
}
