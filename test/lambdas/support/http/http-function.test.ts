import { beforeEach, describe, expect, it } from 'vitest';
import { httpFunction } from '../../../../lambdas/support/http/http-function.ts';
import { functionUrl, httpApi } from '../../../../src/aws-local/api-gateway/ingress.ts';
import { apiRoutes, publicRoutes } from '../../../../src/routes/api-routes.ts';
import { placed } from '../../../support/data/events.ts';
import { eventOf, HttpApiOf } from '../../../support/service/http-api.ts';
import { MemoryApi } from '../../../support/service/memory-api.ts';

const ids = [
  ...['a b', 'a/b', 'λ 世界', 'a+b', 'a#b', 'a\\b', 'a;b', 'x/y/z', '😀', '...', '%2e%2e', '100%'],
  ...['a?b', '50%25', '%2F', 'é'.repeat(256), 'history'],
];
let api: MemoryApi;
beforeEach(async () => {
  api = new MemoryApi();
  await api.apply(...ids.map((transaction, at) => placed(at, { transaction })));
});

const problemOf = (answered: { body: string } | undefined) => JSON.parse(answered!.body);

describe('a request to a public route', () => {
  it.each([
    '/track/..%252Fapi%252Finstances',
    '/track/..%252fapi%252finstances%252fcounter%252fhistory',
    '/track/%252e%252e%252Fapi%252Finstances',
    '/track/%25252e%25252e%252Fapi%252Finstances',
    '/track/.%252e%252Fapi%252Finstances',
    '/track/..%255Capi%255Cinstances',
    '/track/T%252F..%252F..%252Fapi%252Finstances',
    '/track/%252Fapi%252Finstances',
    '/track/.%252FT',
    '/track/..',
    '/track/%2e%2e',
    '/track/T%2500',
  ])('never reaches the API with the path %s', async (path) => {
    for (const route of publicRoutes) {
      const [method] = route.split(' ') as [string];
      const answered = await new HttpApiOf(api).ask(method, path);
      expect(answered?.route).toBe(route);
      expect([400, 404]).toContain(answered?.status);
      expect(answered?.body).not.toContain('transaction":');
    }
  });

  it('returns the status page of one instance', async () => {
    const body = JSON.stringify({ model: 'counter', transaction: 'a b' });
    const { token } = (await api.send<{ token: string }>('POST', '/api/links', body)).body;
    const answered = await new HttpApiOf(api).ask('GET', `/track/${token}`);
    expect(answered).toMatchObject({ status: 200, contentType: 'text/html; charset=UTF-8' });
    // Mail scanners check links with HEAD requests.
    const checked = await new HttpApiOf(api).ask('HEAD', `/track/${token}`);
    expect(checked).toMatchObject({ status: 200, body: '' });
  });
});

describe('httpFunction', () => {
  const event = (routeKey: string, path: string, method = 'GET') =>
    eventOf(httpApi, method, path, { routeKey, pathParameters: {} }) as never;
  const context = {} as never;

  it.each([
    ...publicRoutes,
    '$default',
    'GET /other/{proxy+}',
    'POST /api/instances/{model}/{transaction+}',
  ])('rejects a request to the route %s, which belongs to another function', async (routeKey) => {
    const handler = httpFunction(api.app, apiRoutes);
    const { statusCode, body } = await handler(event(routeKey, '/api/instances'), context);
    expect([statusCode, problemOf({ body }).detail]).toEqual([
      404,
      'there is no route for GET /api/instances',
    ]);
  });

  it('rejects a path that an HTTP API decodes to the path of another route', async () => {
    const answered = await new HttpApiOf(api).ask('GET', '/api/models/counter%252Fversions');
    expect(answered).toMatchObject({ route: 'GET /api/models/{model}', status: 404 });
  });

  it('responds with a problem document to an unknown path, an unsupported method, and an invalid path', async () => {
    const http = new HttpApiOf(api);
    const asked = [
      await http.ask('GET', '/api/nothing'),
      await http.ask('PUT', '/api/events'),
      await http.ask('GET', '/api/instances/counter/a%2F..%2Fb'),
    ];
    expect(asked.map((answered) => answered?.status)).toEqual([404, 405, 400]);
    for (const answered of asked) {
      expect(answered?.contentType).toBe('application/problem+json');
      expect(problemOf(answered)).toMatchObject({
        status: answered!.status,
        title: expect.any(String),
        detail: expect.any(String),
      });
    }
  });

  it.each(['post', 'Post'])('does not accept the method %s instead of POST', async (method) => {
    const path = '/api/instances/counter/history/redrive';
    const answered = await new HttpApiOf(api).ask(method, path);
    // API Gateway authorizes the request with this method, so the request must not reach the handler of POST.
    expect(answered).toMatchObject({ route: 'ANY /api/{proxy+}', status: 405 });
    expect(problemOf(answered).detail).toBe(`${path} does not support ${method}`);
  });

  it('responds to HEAD requests and CORS preflight requests', async () => {
    const http = new HttpApiOf(api);
    expect(await http.ask('HEAD', '/api/instances/counter/a%20b')).toMatchObject({
      status: 200,
      body: '',
    });
    expect(await http.ask('OPTIONS', '/api/instances')).toMatchObject({ status: 204 });
  });

  it('rejects an event whose attributes are not percent-encoded', async () => {
    const handler = httpFunction(api.app, apiRoutes);
    const headers = {
      'ce-id': 'a',
      'ce-type': 'added',
      'ce-modelid': 'counter',
      'user-agent': 'é',
    };
    const posted = (transactionid: string) => ({
      ...(event('POST /api/events', '/api/events', 'POST') as object),
      headers: { ...headers, 'ce-transactionid': transactionid },
    });
    const answered = await handler(posted('Ã©') as never, context);
    expect(answered).toMatchObject({ statusCode: 400 });
    expect(problemOf(answered).detail).toBe(
      'the header `ce-transactionid` must be percent-encoded UTF-8; got "Ã©"',
    );
    expect(api.stream.records).toEqual([]);
    expect(await handler(posted('%C3%A9') as never, context)).toMatchObject({ statusCode: 202 });
  });

  it('ignores the headers of events on other routes', async () => {
    const handler = httpFunction(api.app, apiRoutes);
    const asked = event('GET /api/instances', '/api/instances') as object;
    const answered = await handler({ ...asked, headers: { 'ce-id': 'Ã©' } } as never, context);
    expect(answered).toMatchObject({ statusCode: 200 });
  });

  it('rejects a path that is not URL-encoded UTF-8', async () => {
    const handler = httpFunction(api.app, apiRoutes);
    const wrong = {
      ...(event('GET /api/models/{model}', '/api/models/m') as object),
      rawPath: '/api/models/%ff',
    };
    expect(await handler(wrong as never, context)).toMatchObject({ statusCode: 400 });
  });
});

describe('a transaction id', () => {
  it.each(ids)('%j reaches the API through an HTTP API if it is encoded twice', async (id) => {
    const path = `/api/instances/counter/${encodeURIComponent(encodeURIComponent(id))}`;
    const answered = await new HttpApiOf(api).ask('GET', path);
    expect(answered).toMatchObject({ status: 200 });
    expect(problemOf(answered).transaction).toBe(id);
  });

  it.each(ids)('%j reaches the API on the local service if it is encoded once', async (id) => {
    const path = `/api/instances/counter/${encodeURIComponent(id)}`;
    const answered = await new HttpApiOf(api, functionUrl).ask('GET', path);
    expect(answered).toMatchObject({ status: 200 });
    expect(problemOf(answered).transaction).toBe(id);
  });

  it.each(['..', '.', 'a/../b', '../x', '..\\x'])(
    '%j is rejected because it contains a segment "." or ".."',
    async (id) => {
      await api.apply(placed(99, { transaction: id }));
      for (const ingress of [httpApi, functionUrl]) {
        const encoded = encodeURIComponent(id).replaceAll('.', '%2e');
        const answered = await new HttpApiOf(api, ingress).ask(
          'GET',
          `/api/instances/counter/${encoded}`,
        );
        expect(answered).toMatchObject({ status: 400 });
        expect(problemOf(answered).detail).toContain('this transaction id has no URL');
      }
      const { instances } = (await api.get<{ instances: object[] }>(`/api/instances?q=${id}`)).body;
      expect(instances).toContainEqual(expect.objectContaining({ transaction: id }));
    },
  );
});
