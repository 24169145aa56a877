import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { listen, type RunningServer } from '../../../src/aws-local/server/listen.ts';
import { createApiServer } from '../../../src/local/running/api-server.ts';

let invoke: LambdaHost['invoke'];
let server: RunningServer;
beforeAll(async () => {
  const routeKey = 'ANY /api/{proxy+}';
  const api = createApiServer({
    routes: Promise.resolve([{ routeKey, functionName: 'api' }]),
    host: { invoke: (request) => invoke(request) },
    pages: async () => undefined,
    stalledShards: () => [],
    log: () => {},
  });
  server = await listen(api, 0);
});
afterAll(() => server[Symbol.asyncDispose]());

const answerOf = (payload: object, functionError?: 'Unhandled') => async () => ({
  statusCode: 200 as const,
  requestId: 'r',
  payload: JSON.stringify(payload),
  functionError,
});
const refuse = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
const tooLarge = { method: 'POST', body: new Uint8Array(6 * 1024 * 1024 + 1) };

describe('the local API', () => {
  it.each([
    ['http://api.local/api/models?limit=1', '/api/models', 'limit=1'],
    ['HTTP://api.local/api/instances/m/http%3A%2F%2Fx', '/api/instances/m/http%3A%2F%2Fx', ''],
  ])(
    'accepts the request target %s, which is in absolute form',
    async (path, rawPath, rawQueryString) => {
      let event: unknown;
      invoke = async ({ payload }) => {
        event = JSON.parse(String(payload));
        return answerOf({})();
      };
      const sent = request(server.url, { path }).end();
      const [response] = await once(sent, 'response');
      expect(response.statusCode).toBe(200);
      expect(event).toMatchObject({ rawPath, rawQueryString });
      response.resume();
    },
  );
});

describe('an error response from the local API', () => {
  it.each([
    ['a path that is not URL-encoded', '/api/%zz', {}, 400, 'Bad request', /URL-encoded UTF-8/],
    ['a path that is not UTF-8', '/api/%ff', {}, 400, 'Bad request', /URL-encoded UTF-8/],
    ['a path without a route', '/api', {}, 404, 'Not found', /no route/],
    ['a body above 6 MiB', '/api/events', tooLarge, 413, 'Content too large', /6291456 bytes/],
  ])(
    'is a problem document with status $3 for %s',
    async (_what, path, init, status, title, detail) => {
      const answer = await fetch(server.url + path, init);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      const problem = await answer.json();
      expect(problem).toEqual({ title, status, detail: expect.stringMatching(detail) });
    },
  );

  it.each([
    ['the function fails', answerOf({ errorType: 'Error' }, 'Unhandled'), 500],
    ['the function is throttled', refuse('TooManyRequestsException'), 503],
    ['the event is too large for Lambda', refuse('RequestEntityTooLargeException'), 413],
  ])('is a problem document with status $2 if %s', async (_what, invocation, status) => {
    invoke = invocation;
    const answer = await fetch(`${server.url}/api/models`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ title: expect.any(String), status });
  });
});
