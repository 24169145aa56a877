import { refusalText } from '../pure/refusal.ts';
import { setReachable } from './reachable.ts';
import { RequestError } from './request-error.ts';
import { send } from './send.ts';
import { compareClock } from './service-clock.ts';

/** The timeout of a request, in milliseconds. */
const requestTimeout = 20_000;

/**
 * Sends a request to the API and returns the text of the response. The browser revalidates cached responses with their
 * ETags.
 *
 * @throws RequestError if the API cannot be reached or returns an error. If `signal` aborted the request, throws the
 *   signal's reason instead.
 */
export async function requestJson(
  path: string,
  {
    method = 'GET',
    body,
    signal,
  }: {
    method?: 'GET' | 'POST' | 'DELETE';
    /** JSON. */
    body?: string;
    signal?: AbortSignal;
  } = {},
): Promise<string> {
  const late = AbortSignal.timeout(requestTimeout);
  const ends = signal ? AbortSignal.any([signal, late]) : late;
  let status = 0;
  let text: string;
  try {
    const response = await send(path, { method, body, cache: 'no-cache', signal: ends });
    const { headers } = response;
    status = response.status;
    // A network that requires a login responds with its own page.
    if (response.ok && headers.get('content-type')?.startsWith('text/html'))
      throw new Error('the response is a web page');
    compareClock(headers.get('date'));
    text = await response.text();
  } catch (error) {
    if (!signal?.aborted) setReachable(false);
    throw signal?.aborted
      ? error
      : new RequestError(0, 'Cannot reach the service.', { cause: error });
  }
  setReachable(true);
  if (status >= 400) throw new RequestError(status, refusalText(text, status));
  return text;
}
