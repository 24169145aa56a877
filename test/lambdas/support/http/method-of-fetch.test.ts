import { handle } from 'hono/aws-lambda';
import { describe, expect, it } from 'vitest';
import { withMethodOfFetch } from '../../../../lambdas/support/http/method-of-fetch.ts';
import { MemoryApi } from '../../../support/service/memory-api.ts';

/** Sends a request to the API in the same way as its Lambda function. */
async function ask(method: string, rawPath: string) {
  const event = {
    version: '2.0',
    rawPath,
    rawQueryString: '',
    headers: {},
    isBase64Encoded: false,
    requestContext: { domainName: 'local', http: { method, path: rawPath } },
  };
  const answer = handle(new MemoryApi().app);
  const result = await answer(withMethodOfFetch(event) as never);
  const {
    statusCode,
    headers = {},
    body,
  } = result as {
    statusCode: number;
    headers?: Record<string, string>;
    body: string;
  };
  return { status: statusCode, headers, body: JSON.parse(body) as unknown };
}

describe.each(['TRACE', 'CONNECT', 'track'])(
  'the method %s, which a Fetch Request forbids,',
  (method) => {
    it('is rejected with 405 for a known path', async () => {
      const { status, headers, body } = await ask(method, '/api/events');
      expect(status).toBe(405);
      expect(headers).toMatchObject({
        'content-type': 'application/problem+json',
        allow: 'POST, OPTIONS',
      });
      expect(body).toMatchObject({ status: 405, detail: `/api/events does not support ${method}` });
    });

    it('is rejected with 404 for an unknown path', async () => {
      const { status, body } = await ask(method, '/api/nothing');
      expect(status).toBe(404);
      expect(body).toMatchObject({ detail: `there is no route for ${method} /api/nothing` });
    });
  },
);

it('a method that a Fetch Request allows is not changed', async () => {
  expect((await ask('GET', '/api/health')).status).toBe(200);
});
