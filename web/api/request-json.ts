import { refusalText } from '../pure/refusal.ts';
import { setReachable } from './reachable.ts';
import { send } from './send.ts';

/** How long an answer may take, in milliseconds. */
const requestTimeout = 20_000;

/** Why there is no answer. */
export class RequestError extends Error {
  /** The HTTP status; 0 where the service did not answer at all. */
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Failure';
    this.status = status;
  }
}

/**
 * Asks the API for the text of an answer. What the browser has kept is asked for with its ETag, so
 * that what has not changed is not sent again.
 *
 * @throws RequestError with what the API said, or that it did not answer; the signal's reason when that
 *   ended it.
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
    status = response.status;
    text = await response.text();
  } catch (error) {
    if (!signal?.aborted) setReachable(false);
    throw signal?.aborted
      ? error
      : new RequestError(0, 'The service does not answer.', { cause: error });
  }
  setReachable(true);
  if (status >= 400) throw new RequestError(status, refusalText(text, status));
  return text;
}
