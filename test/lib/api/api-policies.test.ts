import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { instanceOf } from '../../../src/aws/instances/instance-keys.ts';
import { httpApi } from '../../../src/aws-local/api-gateway/ingress.ts';
import { placed } from '../../support/data/events.ts';
import { allows, type IamPolicy } from '../../support/iam-policy.ts';
import { HttpApiOf } from '../../support/service/http-api.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';
import { templateOf } from '../tracker.ts';

/*
 * Tests the policies of docs/how-to/control-access.md against the synthesized routes. AWS does not document whether the
 * ARN of a request contains the raw path, the decoded path, or the path of the route, so the policies must hold for
 * each of these paths.
 */

const page = readFileSync(
  join(import.meta.dirname, '../../../docs/how-to/control-access.md'),
  'utf8',
);

/** Returns the policy under a heading of docs/how-to/control-access.md. */
function documented(heading: string): IamPolicy {
  const [, json] = /^```json\n(.*?)^```/ms.exec(page.slice(page.indexOf(`## ${heading}`))) ?? [];
  return JSON.parse(json!) as IamPolicy;
}

const readAll = documented('Allow a caller to read everything');
const readOrders = documented('Allow a caller to read one model');

const arn = (method: string, path: string) =>
  `arn:aws:execute-api:REGION:ACCOUNT:API-ID/$default/${method}${path}`;
const may = (policy: IamPolicy, method: string, path: string) =>
  allows(policy, 'execute-api:Invoke', arn(method, path));

/** Returns the possible paths in the ARN of a request. */
const readings: readonly ((path: string, routeKey: string) => string)[] = [
  (path) => path,
  (path) => httpApi.paths(path)!.matched,
  (path) => httpApi.paths(path)!.path,
  (_, routeKey) => routeKey.split(' ')[1]!,
];

/** The routes that require credentials, with a path that matches each. */
let routes: { method: string; path: string; routeKey: string }[];
beforeAll(() => {
  const template = templateOf({ customerPages: true, apiCorsOrigins: ['https://example.org'] });
  routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route'))
    .filter(({ Properties }) => Properties.AuthorizationType !== 'NONE')
    .map(({ Properties: { RouteKey } }) => {
      const [method, path] = RouteKey.split(' ');
      return { routeKey: RouteKey, method, path: path.replaceAll(/\{\w+\+?\}/g, 'x') };
    });
});

describe('the IAM policy for readers', () => {
  it("allows every GET route, regardless of the form in which the request's ARN contains the path", () => {
    const reads = routes.filter(({ method }) => method === 'GET');
    expect(reads.length).toBeGreaterThan(10);
    for (const { method, path, routeKey } of reads)
      for (const reading of readings)
        expect([routeKey, may(readAll, method, reading(path, routeKey))]).toEqual([routeKey, true]);
  });

  it('allows no other HTTP method', () => {
    const others = ['POST', 'PUT', 'DELETE', 'PATCH'];
    const writes = routes.flatMap(({ method, ...route }) =>
      method === 'ANY' ? others.map((each) => ({ ...route, method: each })) : { ...route, method },
    );
    const allowed = writes.filter(
      ({ method, path, routeKey }) =>
        others.includes(method) &&
        readings.some((reading) => may(readAll, method, reading(path, routeKey))),
    );
    expect(allowed).toEqual([]);
  });
});

describe('the IAM policy for readers of one model', () => {
  const anyId = fc.oneof(
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((id) => /^\P{Cc}+$/u.test(id)),
    fc.constantFrom('a/b', '100%', 'a?b', '%2e%2e', 'history/x', '../claims/T1', 'é 😀'),
  );

  it('allows reading every instance of the model', async () => {
    const api = new MemoryApi();
    let place = 0;
    const count = { read: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(anyId, async (transaction) => {
        await api.apply(placed(++place, { model: 'orders', transaction }));
        const twice = encodeURIComponent(encodeURIComponent(transaction));
        const path = `/api/instances/orders/${twice}`;
        const { routeKey } = new HttpApiOf(api).routeOf('GET', path)!;
        for (const reading of readings.slice(0, 3))
          expect(may(readOrders, 'GET', reading(path, routeKey))).toBe(true);
        const answered = await new HttpApiOf(api).ask('GET', path);
        const isPart = /(?:^|[/\\])\.\.?(?:[/\\]|$)/.test(transaction);
        count[isPart ? 'refused' : 'read']++;
        expect(answered?.status).toBe(isPart ? 400 : 200);
        expect(JSON.parse(answered!.body).transaction).toBe(isPart ? undefined : transaction);
      }),
      { numRuns: 300 },
    );
    expect(Math.min(count.read, count.refused)).toBeGreaterThan(0);
  });

  it('allows no other request, regardless of its path and the encoding of the path', async () => {
    const api = new MemoryApi();
    const asked: string[] = [];
    for (const model of ['orders', 'claims'])
      await api.apply(
        placed(1, { model, transaction: 'T1' }),
        placed(2, { model, transaction: 'a/b' }),
      );
    api.instances.interfere = ({ pk }) => asked.push(instanceOf(pk).model);
    const http = new HttpApiOf(api);
    const part = fc.constantFrom(
      ...[
        'orders',
        'claims',
        'T1',
        'a',
        'b',
        'history',
        'redrive',
        'api',
        'instances',
        'models',
        '',
      ],
      ...[
        '..',
        '.',
        '%2e%2e',
        '%252e%252e',
        '.%2e',
        '%25252e',
        'cl%61ims',
        'cl%2561ims',
        '%00',
        '%',
      ],
    );
    const separator = fc.constantFrom(
      '/',
      '/',
      '%2F',
      '%252F',
      '%25252F',
      '%5C',
      '%255C',
      '\\',
      '?',
      '%3F',
      '//',
    );
    const pieces = fc.array(fc.tuple(separator, part), { maxLength: 4 });
    const start = fc.constantFrom(
      ...['/api/instances/orders/T1', '/api/instances/orders/T1', '/api/instances/orders/a%2Fb'],
      ...['/api/instances/orders', '/api/instances', '/api', '/track', ''],
    );
    const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'OPTIONS');
    let answeredByPolicy = 0;
    await fc.assert(
      fc.asyncProperty(method, start, pieces, async (verb, first, rest) => {
        const path = (first + rest.flat().join('')).replace(/\?.*$/s, '');
        const route = http.routeOf(verb, path);
        if (!route) return;
        const isAllowed = readings.some((reading) =>
          may(readOrders, verb, reading(path, route.routeKey)),
        );
        if (!isAllowed) return;
        asked.length = 0;
        const answered = await http.ask(verb, path);
        expect(verb).toBe('GET');
        expect(asked.filter((model) => model !== 'orders')).toEqual([]);
        if (answered!.status >= 300) return;
        expect(route.routeKey).toBe('GET /api/instances/{model}/{transaction+}');
        expect(asked).toContain('orders');
        answeredByPolicy++;
      }),
      { numRuns: 5_000 },
    );
    expect(answeredByPolicy).toBeGreaterThan(100);
  });
});
