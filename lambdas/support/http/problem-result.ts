import { problemTitles } from '../../../src/api/http/problem.ts';

/**
 * Creates a problem response (RFC 9457) of a Lambda function behind an HTTP API.
 *
 * @param method the method of the request; a response to HEAD has no body.
 */
export function problemResult(method: string, status: number, detail: string) {
  const problem = { title: problemTitles[status] ?? 'Error', status, detail };
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json' },
    body: method === 'HEAD' ? '' : JSON.stringify(problem),
  };
}
