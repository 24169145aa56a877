import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lambda, lambda } from '../../../src/aws/client/lambda.ts';
import { describeModel } from '../../../src/aws/registry/describe-model.ts';
import type { Clock } from '../../../src/common/clock.ts';
import { skipSleep } from '../../support/skip-sleep.ts';

/** A response from the Invoke API. The fake server returns the responses in turn, and then repeats the last response. */
interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

let server: Server;
let client: Lambda;
let answers: Answer[];
let requests: { url?: string; body: string }[];
let waited: number;

const clock: Clock = {
  now: () => 0,
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    waited += ms;
  },
};

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests.push({ url: request.url, body: await text(request) });
  const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
  response.writeHead(answer?.status ?? 200, answer?.headers);
  response.end(answer?.body);
}

beforeEach(async () => {
  requests = [];
  waited = 0;
  server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = lambda({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    clock: { now: () => 0, sleep: skipSleep },
  });
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const denied: Answer = {
  status: 403,
  headers: { 'x-amzn-errortype': 'AccessDeniedException' },
  body: '{"Message":"not authorized"}',
};

describe('describeModel', () => {
  it('invokes the function once and returns its response', async () => {
    answers = [{ body: '{"id":"orders"}' }];
    expect(await describeModel(client, clock)('orders-function')).toEqual({ id: 'orders' });
    expect(requests).toEqual([
      { url: '/2015-03-31/functions/orders-function/invocations', body: '{"op":"describe"}' },
    ]);
  });

  it("fails with `model-fault` and the function's message if the function fails", async () => {
    const headers = { 'X-Amz-Function-Error': 'Unhandled' };
    answers = [{ headers, body: '{"errorType":"Error","errorMessage":"no such table"}' }];
    await expect(describeModel(client, clock)('orders-function')).rejects.toMatchObject({
      code: 'model-fault',
      message: expect.stringMatching(/orders-function .*no such table/),
    });
    expect(requests).toHaveLength(1);
  });

  it('fails with `model-fault` if the response is not JSON', async () => {
    answers = [{ body: '<html>' }];
    await expect(describeModel(client, clock)('orders-function')).rejects.toMatchObject({
      code: 'model-fault',
    });
  });

  it('retries until a newly granted permission takes effect', async () => {
    answers = [denied, denied, { body: '{"id":"orders"}' }];
    expect(await describeModel(client, clock)('orders-function')).toEqual({ id: 'orders' });
    expect(waited).toBe(6_000);
  });

  it('retries while other invocations use the whole concurrency of the function', async () => {
    const throttled: Answer = {
      status: 429,
      headers: { 'x-amzn-errortype': 'TooManyRequestsException' },
      body: '{"Reason":"ReservedFunctionConcurrentInvocationLimitExceeded"}',
    };
    // The client makes three attempts for each request.
    answers = [...Array.from({ length: 6 }, () => throttled), { body: '{"id":"orders"}' }];
    expect(await describeModel(client, clock)('orders-function')).toEqual({ id: 'orders' });
    expect(waited).toBe(6_000);
  });

  it.each([
    ['ResourceNotReadyException', 502],
    ['ResourceConflictException', 409],
    ['CodeArtifactUserPendingException', 409],
    ['SnapStartNotReadyException', 409],
  ])('retries while Lambda prepares the function: %s', async (error, status) => {
    const preparing: Answer = { status, headers: { 'x-amzn-errortype': error }, body: '{}' };
    // The client makes three attempts for each request that fails with a server error.
    const perRequest = status >= 500 ? 3 : 1;
    const refusals = Array.from({ length: 2 * perRequest }, () => preparing);
    answers = [...refusals, { body: '{"id":"orders"}' }];
    expect(await describeModel(client, clock)('orders-function')).toEqual({ id: 'orders' });
    expect(waited).toBe(6_000);
  });

  it('does not retry if the function does not exist', async () => {
    const headers = { 'x-amzn-errortype': 'ResourceNotFoundException' };
    answers = [{ status: 404, headers, body: '{"Message":"Function not found"}' }];
    await expect(describeModel(client, clock)('orders-function')).rejects.toThrow('not found');
    expect(requests).toHaveLength(1);
  });

  it('fails after ten attempts if the permission is missing', async () => {
    answers = [denied];
    await expect(describeModel(client, clock)('orders-function')).rejects.toThrow('not authorized');
    expect(requests).toHaveLength(10);
  });

  it('does not retry after the signal has aborted', async () => {
    answers = [denied];
    const signal = AbortSignal.abort();
    await expect(describeModel(client, clock)('orders-function', signal)).rejects.toThrow(/abort/i);
    expect(requests).toHaveLength(1);
  });
});
