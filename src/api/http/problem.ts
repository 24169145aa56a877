import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** What a problem of a status is called. */
export const problemTitles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Too large',
  500: 'Internal error',
  503: 'Not available now',
};

/** Thrown where a request cannot be answered; it becomes an `application/problem+json` answer. */
export class Problem extends Error {
  readonly status: ContentfulStatusCode;
  readonly more: Readonly<Record<string, unknown>>;

  /** @param more further members of the answer, such as `errors`. */
  constructor(status: ContentfulStatusCode, detail: string, more: Record<string, unknown> = {}) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.more = more;
  }
}

/** An RFC 9457 answer. */
export function problemAnswer(context: Context, { status, message, more }: Problem): Response {
  // What is throttled is worth trying again soon; how soon, nobody tells us.
  if (status === 503) context.header('retry-after', '1');
  const body = { title: problemTitles[status] ?? 'Error', status, detail: message, ...more };
  return context.body(JSON.stringify(body), status, { 'content-type': 'application/problem+json' });
}
