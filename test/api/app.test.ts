import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../src/api/access/roles.ts';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { MilepostError } from '../../src/core/errors.ts';
import { placed } from '../support/data/events.ts';
import { problem } from '../support/data/problem.ts';
import { MemoryApi } from '../support/service/memory-api.ts';

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

describe('the HTTP API', () => {
  it('reports that it is healthy', async () => {
    const answer = await api.get('/api/health');
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(answer.contentType).toBe('application/json');
  });

  it.each([
    ['GET', '/'],
    ['GET', '/api'],
    ['GET', '/api/nothing'],
    ['POST', '/api/nothing'],
    ['GET', '/api/healthy'],
    ['GET', '/api/models/a/b'],
    ['POST', '/api/dead-letters/x/y/redrive'],
    ['GET', '/api/instances/counter'],
    ['GET', '/api/instances/counter/'],
    ['OPTIONS', '/api/nothing'],
  ])('responds with 404 to %s %s', async (method, path) => {
    expect(await api.send(method, path)).toMatchObject(problem(404, `${method} ${path}`));
  });

  it('responds with 404 for an unknown instance even if the registry cannot be read', async () => {
    const error = new Error('access denied');
    api.models.get = () => Promise.reject(error);
    expect(await api.get('/api/instances/counter/T9/history')).toMatchObject(
      problem(404, 'there is no instance counter/T9'),
    );
    expect(api.errors).toEqual([error]);
  });

  it.each([
    ['GET', '/api/events', 'POST, OPTIONS'],
    ['PUT', '/api/events', 'POST, OPTIONS'],
    ['POST', '/api/health', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/models', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/models/counter', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/instances', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/instances/counter/T1', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/instances/counter/a/b', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/instances/counter/T1/history', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/dead-letters', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/dead-letters/x/redrive', 'POST, OPTIONS'],
    ['GET', '/api/dead-letters/redrive', 'POST, OPTIONS'],
    ['GET', '/api/models/counter/rebuild', 'POST, OPTIONS'],
    ['DELETE', '/api/models/counter/versions', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/instances/counter/T1/redrive', 'POST, OPTIONS'],
  ])('responds to %s %s with 405 and the allowed methods', async (method, path, allow) => {
    const answer = await api.send(method, path);
    expect(answer).toMatchObject(problem(405, `${path} does not support ${method}`));
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it.each([
    ['/api/events', 'POST, OPTIONS'],
    ['/api/dead-letters/redrive', 'POST, OPTIONS'],
    ['/api/models/counter/rollback', 'POST, OPTIONS'],
    ['/api/instances/counter/T1/forget', 'POST, OPTIONS'],
    ['/api/instances/counter/T1/explain', 'GET, HEAD, OPTIONS'],
  ])('responds to OPTIONS %s with the allowed methods', async (path, allow) => {
    const answer = await api.send('OPTIONS', path);
    expect(answer).toMatchObject({ status: 204, body: undefined });
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.headers.has('content-type')).toBe(false);
  });

  it('returns an instance whose id ends with the name of an operation, such as /redrive', async () => {
    await api.apply(placed(1, { transaction: 'T1/redrive' }));
    expect((await api.get('/api/instances/counter/T1/redrive')).status).toBe(200);
  });

  it('responds to HEAD as to GET, but without the body', async () => {
    await api.apply(placed(1));
    const found = await api.send('HEAD', '/api/instances/counter/T1');
    expect(found).toMatchObject({ status: 200, body: undefined });
    expect(found.contentType).toBe('application/json');
    expect((await api.send('HEAD', '/api/instances/counter/nobody')).status).toBe(404);
    const refused = await api.send('HEAD', '/api/events');
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toBe('POST, OPTIONS');
  });

  it('logs the details of internal errors but does not reveal them', async () => {
    const failure = new Error('arn:aws:dynamodb:secret is on fire');
    api.instances.interfere = () => {
      throw failure;
    };
    const answer = await api.get('/api/instances/counter/T1');
    expect(answer).toMatchObject(problem(500, 'see the log of the service for the cause'));
    expect(Object.keys(answer.body as object)).toEqual(['title', 'status', 'detail']);
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|at .*\.ts/);
    expect(api.errors).toEqual([failure]);
  });

  it('does not log client errors', async () => {
    await api.get('/api/instances?limit=0');
    await api.get('/api/nothing');
    await api.send('PUT', '/api/events');
    expect(api.errors).toEqual([]);
  });

  it('responds with 503 and Retry-After if AWS throttles requests', async () => {
    api.stream.kinesis.failure = new MilepostError('busy', 'the stream accepted 0 of 1 records');
    const event = { id: 'e1', type: 'added', modelid: 'counter', transactionid: 'T1' };
    const answer = await api.send('POST', '/api/events', JSON.stringify(event));
    expect(answer).toMatchObject(problem(503, 'try again'));
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it.each([
    ['does not respond in time', Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })],
    ['fails', new ServiceError('InternalServerError', 'failed', 500)],
  ])('responds with 503 and Retry-After if AWS %s', async (_, failure) => {
    api.models.get = () => Promise.reject(failure);
    const answer = await api.get('/api/models/counter');
    expect(answer).toMatchObject(problem(503, 'is unavailable; try again'));
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(api.errors).toEqual([failure]);
  });

  it('responds with 500 if AWS denies access', async () => {
    api.models.get = () => Promise.reject(new ServiceError('AccessDeniedException', 'denied', 400));
    expect(await api.get('/api/models/counter')).toMatchObject(problem(500));
  });

  it('responds with 503 and Retry-After if other writers change an item before every attempt', async () => {
    api.models.get = () => Promise.reject(new MilepostError('contention', 'changed five times'));
    const answer = await api.get('/api/models/counter');
    expect(answer).toMatchObject(problem(503, 'try again'));
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it.each([
    ['GET', '/api/instances/counter/T1', () => void (api.instances.client.query = never)],
    ['POST', '/api/models/counter/rebuild', () => void (api.auditor.audit = never)],
    ['POST', '/api/instances/counter/T1/rebuild', () => void (api.auditor.audit = never)],
    ['GET', '/api/instances/counter/T1/deadlines', () => void (api.models.get = never)],
    ['GET', '/api/instances/counter/T1/explain', () => void (api.instances.client.query = never)],
  ])('responds with 503 to %s %s if AWS never responds', async (method, path, break_) => {
    await api.apply(placed(1));
    break_();
    const answer = await api.clock.runUntil(api.send(method, path));
    expect(answer).toMatchObject(problem(503, 'could not respond within 25 seconds; try again'));
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(api.errors).toEqual([expect.objectContaining({ status: 503 })]);
  });
});

const never = <Value>(): Promise<Value> => new Promise(() => undefined);

describe('a response to a client that polls', () => {
  const paths = [
    '/api/instances',
    '/api/instances/counter/T1',
    '/api/instances/counter/T1/history',
  ];

  it.each(paths)('has status 304 and no body until the resource changes: %s', async (path) => {
    await api.apply(placed(1));
    const first = await api.get(path);
    const tag = first.headers.get('etag')!;
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await api.send('GET', path, undefined, { 'if-none-match': tag });
    expect(again).toMatchObject({ status: 304, body: undefined });
    expect(again.headers.get('etag')).toBe(tag);
    // The status of the instance becomes High, which changes the responses of all tested paths.
    await api.apply(placed(2, { data: { n: 1_000 } }));
    const changed = await api.send('GET', path, undefined, { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  it.each(paths)('has the same headers for HEAD as for GET: %s', async (path) => {
    await api.apply(placed(1));
    const full = await api.get(path);
    const head = await api.send('HEAD', path);
    expect(head).toMatchObject({ status: 200, body: undefined });
    for (const name of ['etag', 'cache-control', 'content-type'])
      expect(head.headers.get(name)).toBe(full.headers.get(name));
    const tag = head.headers.get('etag')!;
    expect((await api.send('HEAD', path, undefined, { 'if-none-match': tag })).status).toBe(304);
  });

  it('has status 404 if the resource no longer exists', async () => {
    await api.apply(placed(1));
    const path = '/api/instances/counter/T1';
    const tag = (await api.get(path)).headers.get('etag')!;
    api = new MemoryApi();
    const again = await api.send('GET', path, undefined, { 'if-none-match': tag });
    expect(again.status).toBe(404);
  });
});

describe('a response', () => {
  it.each([
    ['GET', '/api/dead-letters'],
    ['GET', '/api/search?q=T1'],
    ['GET', '/api/nothing'],
    ['PUT', '/api/events'],
    ['POST', '/api/events'],
    ['POST', '/api/links'],
  ])('is not stored by browsers unless they revalidate it: %s %s', async (method, path) => {
    await api.apply(placed(1));
    expect((await api.send(method, path)).headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/api/health', '/api/instances', '/api/instances/counter/nobody', '/api/nothing'])(
    'has a content type that browsers must not replace: %s',
    async (path) => {
      expect((await api.get(path)).headers.get('x-content-type-options')).toBe('nosniff');
    },
  );
});

describe('a large response', () => {
  it('is compressed for clients that accept compression', async () => {
    await api.apply(...Array.from({ length: 50 }, (_, n) => placed(n + 1)));
    const path = '/api/instances/counter/T1/history?limit=50';
    const plain = await api.get(path);
    const response = await api.app.request(path, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(plain.body);
    expect(bytes.byteLength).toBeLessThan(JSON.stringify(plain.body).length / 3);
  });
});

describe('web pages from other origins', () => {
  const ask = (origin: string, more: Record<string, string> = {}, method = 'GET') =>
    api.send(method, '/api/instances', undefined, { origin, ...more });

  it('can use the API if their origin is allowed', async () => {
    const origin = 'https://status.example.org';
    const preflight = { 'access-control-request-method': 'GET' };
    const asked = await ask(origin, preflight, 'OPTIONS');
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-max-age')).toBe('7200');
    const { headers } = await ask(origin);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    const unchanged = await ask(origin, { 'if-none-match': headers.get('etag')! });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get('access-control-allow-origin')).toBe(origin);
    expect(unchanged.headers.get('access-control-expose-headers')).toContain('ETag');
  });

  it('cannot make changes if their origin is not allowed, but other clients can', async () => {
    const redrive = (headers: Record<string, string>) =>
      api.send('POST', '/api/dead-letters/redrive', undefined, headers);
    const foreign = { origin: 'https://elsewhere.example.org', 'sec-fetch-site': 'cross-site' };
    expect(await redrive(foreign)).toMatchObject(problem(403, 'another origin'));
    expect((await redrive({ ...foreign, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    const named = { ...foreign, origin: 'https://status.example.org' };
    const own: Record<string, string>[] = [named, { 'sec-fetch-site': 'same-origin' }, {}];
    for (const headers of own) expect((await redrive(headers)).status).toBe(202);
  });

  // Browsers send Sec-Fetch-Site only to secure origins.
  it.each([
    ['http://0.0.0.0:4500', 202],
    ['https://elsewhere.example.org', 403],
    ['http://0.0.0.0:8080', 403],
    ['null', 403],
  ])(
    'are recognized by Origin if the browser omits Sec-Fetch-Site: %s receives %i',
    async (origin, status) => {
      const headers = { host: '0.0.0.0:4500', origin };
      const answer = await api.send('POST', '/api/dead-letters/redrive', undefined, headers);
      expect(answer.status).toBe(status);
    },
  );

  it('get no CORS headers if their origin is not allowed', async () => {
    const answer = await ask('https://elsewhere.example.org');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the roles of the caller', () => {
  const event = JSON.stringify({ id: 'e', type: 'added', modelid: 'counter', transactionid: 'T1' });
  const calls: readonly (readonly [method: string, path: string, body?: string])[] = [
    ['GET', '/api/instances'],
    ['GET', '/api/openapi.json'],
    ['POST', '/api/events', event],
    ['POST', '/api/instances/counter/T1/redrive'],
    ['POST', '/api/dead-letters/redrive'],
    ['POST', '/api/links', JSON.stringify({ model: 'counter', transaction: 'T1' })],
    ['DELETE', '/api/dead-letters/000000001-0123456789abcdef'],
  ];

  it.each<[string, readonly Role[] | undefined, number]>([
    ['none', [], 0],
    ['viewer', ['viewer'], 2],
    ['operator', ['operator'], calls.length],
    ['undefined (authorized by the platform)', undefined, calls.length],
  ])('determine which calls are allowed: %s', async (_, roles, allowed) => {
    await api.apply(placed(1));
    api.roles = roles;
    for (const [index, [method, path, body]] of calls.entries()) {
      const answer = await api.send(method, path, body);
      expect([method, path, answer.status === 403]).toEqual([method, path, index >= allowed]);
    }
  });

  it('are returned by GET /api/me', async () => {
    const told = async (roles: readonly Role[] | undefined) => {
      api.roles = roles;
      return api.get('/api/me');
    };
    expect((await told(['viewer'])).body).toEqual({ roles: ['viewer'] });
    expect((await told(['operator'])).body).toEqual({ roles: ['operator'] });
    // If the platform itself authorized the caller, the caller has every role.
    expect((await told(undefined)).body).toEqual({ roles: ['viewer', 'operator'] });
    expect(await told([])).toMatchObject(problem(403, 'requires the viewer role'));
  });

  it('are not required to open a customer status page', async () => {
    await api.apply(placed(1));
    const body = JSON.stringify({ model: 'counter', transaction: 'T1' });
    const { token } = (await api.send<{ token: string }>('POST', '/api/links', body)).body;
    api.roles = [];
    const response = await api.trackApp.request(`/track/${token}`);
    expect(response.status).toBe(200);
  });
});
