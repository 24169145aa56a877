import type { Clock } from '../../common/clock.ts';

/** The time limit of a request to an endpoint, in milliseconds. */
const requestTimeoutMs = 10_000;

/** Sends a request that is aborted by the signal or after the time limit. */
export async function withTimeout<T>(
  clock: Clock,
  signal: AbortSignal,
  request: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  const answered = new AbortController();
  const late = new AbortController();
  const timeout = clock.sleep(requestTimeoutMs, answered.signal).then(() => {
    // Aborting a request that is complete would only create an error with a stack trace.
    if (!answered.signal.aborted) late.abort();
  });
  try {
    return await request(AbortSignal.any([signal, late.signal]));
  } finally {
    answered.abort('answered');
    await timeout;
  }
}
