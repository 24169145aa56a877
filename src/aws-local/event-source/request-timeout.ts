import type { Clock } from '../../common/clock.ts';

/** The timeout of a request to an endpoint, in milliseconds. */
const requestTimeoutMs = 10_000;

/**
 * Sends a request, and aborts it when the signal aborts or the request times out.
 *
 * @throws Error if the request times out.
 */
export async function withTimeout<T>(
  clock: Clock,
  signal: AbortSignal,
  request: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  const answered = new AbortController();
  const late = new AbortController();
  const timeout = clock.sleep(requestTimeoutMs, answered.signal).then(() => {
    // Do not abort a completed request, because that would create an error with a stack trace for no purpose.
    if (!answered.signal.aborted) late.abort();
  });
  try {
    return await request(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    // The error of an aborted request does not contain the reason.
    if (!late.signal.aborted) throw error;
    throw new Error(`no response within ${requestTimeoutMs / 1_000} seconds`, { cause: error });
  } finally {
    answered.abort('answered');
    await timeout;
  }
}
