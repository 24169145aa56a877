import { problemTitles } from '../../../src/api/http/problem.ts';

/**
 * A refusal as a result of a Lambda behind an HTTP API: an RFC 9457 document.
 *
 * @param method of the request; an answer to HEAD has no body.
 */
export function problemResult(method: string, status: number, detail: string) {
  const problem = { title: problemTitles[status] ?? 'Error', status, detail };
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json' },
    body: method === 'HEAD' ? '' : JSON.stringify(problem),
  };
}
