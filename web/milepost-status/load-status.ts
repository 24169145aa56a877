import type { CustomerStatus } from '../../src/customer-page/customer-status.ts';
import { isExpired } from './link.ts';

/** The result of loading a status. `unreachable` is temporary; the other problems are permanent. */
export type LoadResult = CustomerStatus | 'not-found' | 'expired' | 'unreachable';

/** The timeout of a request, in milliseconds, after which the service is reported as unreachable. */
const timeout = 15_000;

/** Loads the status that a link leads to, in a language. @throws the reason of `signal` if it aborts. */
export async function loadStatus(
  link: URL,
  lang: string,
  signal: AbortSignal,
): Promise<LoadResult> {
  const address = new URL(link);
  address.searchParams.set('lang', lang);
  // Do not use `AbortSignal.any` to combine the signals, because some browsers from early 2024 do not support it.
  const request = new AbortController();
  const abort = () => request.abort();
  signal.addEventListener('abort', abort);
  const timer = setTimeout(abort, timeout);
  try {
    const response = await fetch(address, {
      // Send only headers that require no preflight request.
      headers: { accept: 'application/json' },
      cache: 'no-cache',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: request.signal,
    });
    if (response.status === 404) return isExpired(link, Date.now()) ? 'expired' : 'not-found';
    return response.ok ? ((await response.json()) as CustomerStatus) : 'unreachable';
  } catch {
    signal.throwIfAborted();
    return 'unreachable';
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
