import { request } from 'node:http';
import { InvokeCommand, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { httpApi } from '../../src/aws-local/api-gateway/ingress.ts';
import { publicRoutes } from '../../src/routes/api-routes.ts';
import { reached } from '../support/models/milestone-event.ts';
import { eventOf } from '../support/service/http-api.ts';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

const service = sharedService();
const transaction = 'PUBLIC-ROUTE-1';

beforeAll(async () => {
  await service.post(reached(transaction, 'received', Date.now()));
  await service.eventually(instancePath('service-request', transaction), () => true);
});

/** Sends a request with its exact path, which `fetch` would normalize, and returns the response. */
const get = (path: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(service.ready.api);
    request({ hostname, port, path }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    })
      .on('error', reject)
      .end();
  });

/** Invokes the bundle of a function with the event of an API Gateway HTTP API and returns the response. */
async function invoke(name: string, routeKey: string, path: string) {
  const { Functions = [] } = await service.lambda.send(new ListFunctionsCommand({}));
  const { FunctionName } = Functions.find((each) => each.FunctionName!.includes(name))!;
  const Payload = JSON.stringify(eventOf(httpApi, 'GET', path, { routeKey, pathParameters: {} }));
  const answer = await service.lambda.send(new InvokeCommand({ FunctionName, Payload }));
  const { statusCode, body } = JSON.parse(Buffer.from(answer.Payload!).toString());
  return { status: statusCode as number, text: body as string };
}

const hostile = [
  '/track/..%252Fapi%252Finstances',
  `/track/..%252Fapi%252Finstances%252Fservice-request%252F${transaction}`,
  '/track/..%2Fapi%2Finstances',
  '/track/%2e%2e/api/instances',
  '/track/../api/instances',
  '/track/..%5Capi%5Cinstances',
  '/track/..\\api\\instances',
  '/track/%252e%252e%252fapi%252finstances',
];

describe('the public routes', () => {
  it.each(hostile)('do not expose the API on the local service at the path %s', async (path) => {
    const { status, text } = await get(path);
    expect([400, 404]).toContain(status);
    expect(text).not.toContain(transaction);
  });

  it.each(hostile)(
    'do not expose the API through an HTTP API event with the path %s',
    async (path) => {
      for (const name of ['CustomerPages', 'ApiFunction'])
        for (const route of publicRoutes) {
          const { status, text } = await invoke(name, route, path);
          expect([400, 404]).toContain(status);
          expect(text).not.toContain(transaction);
        }
    },
  );
});

describe('the API of the running service', () => {
  it('responds to unknown paths and methods with problems', async () => {
    const nothing = await service.ask('/api/nothing');
    expect([nothing.status, nothing.body]).toMatchObject([
      404,
      { status: 404, title: 'Not found' },
    ]);
    const wrong = await service.ask('/api/events', { method: 'PUT' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it.each(['100%', 'a/b', 'a?b', '%2e%2e', 'é 😀', '50%25'])(
    'reads the instance %j by its URL-encoded id',
    async (odd) => {
      await service.post(reached(odd, 'received', Date.now()));
      const path = instancePath('service-request', odd);
      const found = await service.eventually<{ transaction: string }>(path, () => true);
      expect(found.transaction).toBe(odd);
    },
  );
});
