import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** The title of a problem, by status. */
export const problemTitles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  500: 'Internal server error',
  503: 'Service unavailable',
};

/** An error that becomes an `application/problem+json` response. */
export class Problem extends Error {
  readonly status: ContentfulStatusCode;
  readonly more: Readonly<Record<string, unknown>>;

  /** @param more members of the response in addition to the title, status, and detail, such as `errors`. */
  constructor(status: ContentfulStatusCode, detail: string, more: Record<string, unknown> = {}) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.more = more;
  }
}

/** Creates a response with a problem as its body (RFC 9457). */
export function problemAnswer(context: Context, { status, message, more }: Problem): Response {
  // AWS does not report when throttling ends; 1 second is the shortest delay, other than 0, that the header can
  // express.
  if (status === 503) context.header('retry-after', '1');
  const body = { title: problemTitles[status] ?? 'Error', status, detail: message, ...more };
  return context.body(JSON.stringify(body), status, { 'content-type': 'application/problem+json' });
}
