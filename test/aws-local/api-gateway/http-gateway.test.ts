import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createHttpGateway,
  type HttpGatewayOptions,
  type HttpRoute,
} from '../../../src/aws-local/api-gateway/http-gateway.ts';
import { functionUrl, httpApi, type Ingress } from '../../../src/aws-local/api-gateway/ingress.ts';

const everything = [{ routeKey: '$default', functionName: 'f' }];

const servers: ReturnType<typeof createHttpGateway>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The options of a gateway. By default, one function handles all routes. */
interface Listening extends Pick<HttpGatewayOptions, 'ingress' | 'log'> {
  invoke: (event: string, functionName: string) => ReturnType<HttpGatewayOptions['invoke']>;
  routes?: readonly HttpRoute[];
}

async function listen({ invoke, routes = everything, ...options }: Listening): Promise<number> {
  const server = createHttpGateway({
    ...options,
    routes: Promise.resolve(routes),
    invoke: (functionName, event) => invoke(event, functionName),
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  rawHeaders: string[];
  text: string;
}

interface Sent {
  method?: string;
  /** Alternating header names and values. */
  headers?: string[];
  body?: string | Buffer;
}

/** Sends an HTTP request without normalizing its path, unlike `fetch`. */
function send(
  port: number,
  path: string,
  { method, headers = [], body }: Sent = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({
      port,
      path,
      host: '127.0.0.1',
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: ['host', 'api.local', ...headers],
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.end(body);
  });
}

/** Sends a request. Returns the event that the function receives. */
async function eventOf(path: string, sent?: Sent, ingress?: Ingress) {
  const port = await listen({ invoke: async (event) => ({ payload: event }), ingress });
  const answer = await send(port, path, sent);
  return { port, ...JSON.parse(answer.text) };
}

/** Returns the HTTP response for a function's result. */
async function answerOf(result: unknown, ingress?: Ingress, sent?: Sent): Promise<Answer> {
  const invoke = async () => ({ payload: JSON.stringify(result) });
  return send(await listen({ invoke, ingress }), '/', sent);
}

describe('the event of a gateway request', () => {
  it('has payload format 2.0', async () => {
    const event = await eventOf('/api/things?a=1&b=x%20y&a=2&empty=&plus=c+d', {
      headers: ['User-Agent', 'test/1', 'X-Many', 'one', 'X-Many', 'two', 'Cookie', 'a=1; b=2'],
    });
    expect(event).toEqual({
      port: event.port,
      version: '2.0',
      routeKey: '$default',
      rawPath: '/api/things',
      rawQueryString: 'a=1&b=x%20y&a=2&empty=&plus=c+d',
      cookies: ['a=1', 'b=2'],
      headers: {
        host: 'api.local',
        connection: expect.any(String),
        'content-length': '0',
        'user-agent': 'test/1',
        'x-many': 'one,two',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': String(event.port),
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { a: '1,2', b: 'x y', empty: '', plus: 'c d' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'api.local',
        domainPrefix: 'api',
        http: {
          method: 'GET',
          path: '/api/things',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'test/1',
        },
        requestId: expect.any(String),
        routeKey: '$default',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      isBase64Encoded: false,
    });
  });

  it('omits missing parts', async () => {
    const event = await eventOf('/');
    expect(event.rawQueryString).toBe('');
    for (const key of ['cookies', 'queryStringParameters', 'body'])
      expect(event).not.toHaveProperty(key);
  });

  it.each(['application/json', 'application/cloudevents+json; charset=utf-8', 'text/plain'])(
    'contains a body of type %s as text',
    async (type) => {
      const event = await eventOf('/', { headers: ['content-type', type], body: '"é"' });
      expect(event).toMatchObject({ body: '"é"', isBase64Encoded: false });
      expect(event.requestContext.http.method).toBe('POST');
    },
  );

  it.each([
    ['of another type', ['content-type', 'application/x-www-form-urlencoded']],
    ['without a type', []],
    ['that is text but not UTF-8', ['content-type', 'application/json']],
    ['that is compressed', ['content-type', 'application/json', 'content-encoding', 'gzip']],
  ])('uses Base64 for a body %s', async (_what, headers) => {
    const body = Buffer.from([0, 255, 128]);
    const event = await eventOf('/', { headers, body });
    expect(event).toMatchObject({ body: body.toString('base64'), isBase64Encoded: true });
  });

  it('contains the cookie header for a function URL', async () => {
    const event = await eventOf('/', { headers: ['cookie', 'a=1; b=2'] }, functionUrl);
    expect(event).toMatchObject({ cookies: ['a=1', 'b=2'], headers: { cookie: 'a=1; b=2' } });
  });
});

describe('the path of a gateway request', () => {
  // The expected values were observed in AWS.
  it.each([
    ['/capture/plain', '/capture/plain'],
    ['/capture/space%20value', '/capture/space value'],
    ['/capture/question%3Fvalue', '/capture/question'],
    ['/capture/hash%23value', '/capture/hash#value'],
    ['/capture/slash%2Fvalue', '/capture/slash/value'],
    ['/capture/unicode-%CE%BB-%E4%B8%96%E7%95%8C', '/capture/unicode-λ-世界'],
    ['/capture/literal%252Fvalue', '/capture/literal/value'],
    ['/capture/literal%253Fvalue', '/capture/literal?value'],
    ['/capture/literal%2525value', '/capture/literal%value'],
  ])('is decoded twice by an HTTP API: %s', async (path, rawPath) => {
    const event = await eventOf(`${path}?q=a%3Fb`, {}, httpApi);
    expect(event.rawPath).toBe(rawPath);
    expect(event.requestContext.http.path).toBe(rawPath);
    expect(event.rawQueryString).toBe('q=a%3Fb');
  });

  it('is rejected by an HTTP API if decoding leaves a percent sign without hex digits', async () => {
    const port = await listen({ invoke: async (event) => ({ payload: event }) });
    expect(await send(port, '/capture/percent%25done')).toMatchObject({ status: 400 });
    expect(await send(port, '/capture/%zz')).toMatchObject({ status: 400 });
  });

  it.each([
    ['/track/T', 'GET /track/{token}', 'public', { token: 'T' }],
    [
      '/track/..%252Fapi%252Fthings',
      'GET /track/{token}',
      'public',
      { token: '..%2Fapi%2Fthings' },
    ],
    ['/track/..%2Fapi%2Fthings', '$default', 'private', undefined],
    ['/api/things/a%2Fb', 'GET /api/things/{id+}', 'private', { id: 'a/b' }],
    ['/api/things', '$default', 'private', undefined],
  ])(
    'is decoded once before it is matched with routes: %s',
    async (path, routeKey, name, parameters) => {
      const routes = [
        { routeKey: 'GET /track/{token}', functionName: 'public' },
        { routeKey: 'GET /api/things/{id+}', functionName: 'private' },
        { routeKey: '$default', functionName: 'private' },
      ];
      for (const ingress of [httpApi, functionUrl]) {
        const invoked: string[] = [];
        const invoke = async (event: string, functionName: string) => {
          invoked.push(functionName);
          return { payload: event };
        };
        const event = JSON.parse(
          (await send(await listen({ routes, ingress, invoke }), path)).text,
        );
        expect(invoked).toEqual([name]);
        expect([event.routeKey, event.requestContext.routeKey]).toEqual([routeKey, routeKey]);
        expect(event.pathParameters).toEqual(parameters);
      }
    },
  );

  it('causes a 404 response without an invocation if no route matches', async () => {
    const routes = [{ routeKey: 'GET /track/{token}', functionName: 'public' }];
    const invoke = () => Promise.reject(new Error('invoked'));
    const port = await listen({ routes, invoke });
    const answers = [await send(port, '/track/T', { method: 'POST' }), await send(port, '/api')];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, text: '{"message":"Not Found"}' });
  });

  it('is passed to the function unchanged by a function URL', async () => {
    const event = await eventOf('/a%2Fb%25%3F%23%20%CE%BB', {}, functionUrl);
    expect(event.rawPath).toBe('/a%2Fb%25%3F%23%20%CE%BB');
    expect(event.requestContext.http.path).toBe('/a/b%?# λ');
  });

  const app = new Hono().get('/api/instances/:model/:transaction', (context) =>
    context.json(context.req.param('transaction')),
  );
  const handler = handle(app);
  const hono = async (event: string) => ({
    payload: JSON.stringify(await handler(JSON.parse(event))),
  });

  it.each(['a b', 'a/b', '100%', '50%25', 'a?b', 'a#b', 'λ 世界', 'a+b', '%2F'])(
    'preserves the transaction id %j for a Hono app with a function URL',
    async (id) => {
      const port = await listen({ invoke: hono, ingress: functionUrl });
      const answer = await send(port, `/api/instances/m/${encodeURIComponent(id)}`);
      expect(answer).toMatchObject({ status: 200, text: JSON.stringify(id) });
    },
  );

  it.each([
    ['a b', 200, '"a b"'],
    ['λ 世界', 200, '"λ 世界"'],
    ['a/b', 404, '404 Not Found'],
    ['100%', 400, '{"message":"Bad Request"}'],
    ['50%25', 200, '"50%"'],
    ['a?b', 200, '"a"'],
    ['a#b', 200, '"a"'],
    ['%2F', 404, '404 Not Found'],
  ])(
    'with the transaction id %j is decoded twice for a Hono app with an HTTP API',
    async (id, status, text) => {
      const port = await listen({ invoke: hono, ingress: httpApi });
      const answer = await send(port, `/api/instances/m/${encodeURIComponent(id)}`);
      expect(answer).toMatchObject({ status, text });
    },
  );
});

describe('the response of the gateway', () => {
  it("contains the function's result", async () => {
    const answer = await answerOf({
      statusCode: 201,
      headers: { 'Content-Type': 'text/html', 'X-Number': 7 },
      cookies: ['a=1; Path=/', 'b=2'],
      body: '<p>é</p>',
    });
    expect(answer).toMatchObject({
      status: 201,
      text: '<p>é</p>',
      headers: {
        'content-type': 'text/html',
        'content-length': '9',
        'x-number': '7',
        'set-cookie': ['a=1; Path=/', 'b=2'],
      },
    });
    expect(answer.headers['apigw-requestid']).toBeTruthy();
  });

  it("is decoded from Base64 if the function's result is marked as Base64", async () => {
    const body = Buffer.from('bytes').toString('base64');
    expect((await answerOf({ statusCode: 200, body, isBase64Encoded: true })).text).toBe('bytes');
  });

  it.each([
    [{ hello: 'world' }, '{"hello":"world"}'],
    ['hello', 'hello'],
    [[1, 'a'], '[1,"a"]'],
    [3, '3'],
    [null, 'null'],
  ])(
    'has status 200 and a JSON body for the result %j, which has no status code',
    async (result, text) => {
      expect(await answerOf(result)).toMatchObject({
        status: 200,
        text,
        headers: { 'content-type': 'application/json' },
      });
    },
  );

  it('has a default content type if the result of the function has none', async () => {
    const result = { statusCode: 200, body: 'x' };
    const types = [(await answerOf(result)).headers, (await answerOf(result, functionUrl)).headers];
    expect(types.map((headers) => headers['content-type'])).toEqual([
      'text/plain;charset=UTF-8',
      'application/json',
    ]);
  });

  it('has no body for HEAD and for status 204', async () => {
    const head = await answerOf({ statusCode: 200, body: 'four' }, httpApi, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '4' } });
    const bodiless = await answerOf({ statusCode: 200 }, httpApi, { method: 'HEAD' });
    expect(bodiless).toMatchObject({ status: 200, text: '' });
    const empty = await answerOf({ statusCode: 204 });
    expect(empty).toMatchObject({ status: 204, text: '' });
    for (const { headers } of [bodiless, empty])
      expect(headers).not.toHaveProperty('content-length');
  });

  it.each([
    [{ statusCode: 'ok' }],
    [{ statusCode: 99 }],
    [{ statusCode: 200, body: { a: 1 } }],
    [{ statusCode: 200, body: [104, 105] }],
    [{ statusCode: 200, headers: 'none' }],
    [{ statusCode: 200, cookies: 'a=1' }],
  ])('has status 500 for the invalid result %j', async (result) => {
    expect(await answerOf(result)).toMatchObject({
      status: 500,
      text: '{"message":"Internal Server Error"}',
    });
  });
});

describe('a failed gateway request', () => {
  const failing = async () => ({ payload: '{"errorType":"Error"}', functionError: 'Unhandled' });
  const refusing = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };

  it.each([
    ['a function error', httpApi, failing, 500, '{"message":"Internal Server Error"}'],
    [
      'throttling',
      httpApi,
      refusing('TooManyRequestsException'),
      503,
      '{"message":"Service Unavailable"}',
    ],
    [
      'any other error',
      httpApi,
      refusing('ResourceNotFoundException'),
      500,
      '{"message":"Internal Server Error"}',
    ],
    ['a function error of a function URL', functionUrl, failing, 502, 'Internal Server Error'],
    [
      'throttling of a function URL',
      functionUrl,
      refusing('TooManyRequestsException'),
      429,
      expect.stringContaining('Rate Exceeded.'),
    ],
  ])('gets the same response as in AWS after %s', async (_what, ingress, invoke, status, text) => {
    const lines: string[] = [];
    const port = await listen({ invoke, ingress, log: (line) => lines.push(line) });
    expect(await send(port, '/')).toMatchObject({ status, text });
    expect(lines).toHaveLength(1);
  });

  it.each([
    ['HTTP API', httpApi, 10],
    ['function URL', functionUrl, 6],
  ])('gets status 413 for a body above the %s limit', async (_what, ingress, megabytes) => {
    let invoked = 0;
    const invoke = async () => {
      invoked++;
      return { payload: '{}' };
    };
    const port = await listen({ invoke, ingress });
    const body = Buffer.alloc(megabytes * 1024 * 1024 + 1);
    expect((await send(port, '/', { body })).status).toBe(413);
    expect(invoked).toBe(0);
    expect((await send(port, '/', { body: body.subarray(1) })).status).toBe(200);
    expect(invoked).toBe(1);
  });
});
