import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonService } from '../../../../src/aws/client/transport/json-service.ts';
import { ServiceClient } from '../../../../src/aws/client/transport/service-client.ts';
import { listen } from '../../../../src/aws-local/server/listen.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

/** A server that sends the given responses in turn, and then repeats the last response. */
async function serverThat(...answers: Answer[]) {
  let requests = 0;
  const waits: number[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests++, answers.length - 1)]!;
    request.resume().once('end', () => answer(response, request));
  });
  const { url } = stack.use(await listen(server, 0));
  stack.defer(() => server.closeAllConnections());
  const options = {
    region: 'us-east-1',
    endpoint: url,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    clock: {
      now: () => Date.now(),
      sleep: (ms: number) => Promise.resolve(void waits.push(ms)),
    },
  };
  const call = jsonService(options, thing);
  return { options, call: () => call('Do', { a: 'é' }), waits, requests: () => requests };
}

const thing = { service: 'thing', version: '1.1', target: 'Thing_1' } as const;

const fine: Answer = (response) => response.end('{"done":true}');
const refusing =
  (status: number, body: object | string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const hangsUp: Answer = (response) => response.destroy();

describe('ServiceClient', () => {
  it('sends the X-Ray trace header without signing it', async () => {
    const { options } = await serverThat((response, request) =>
      response.end(JSON.stringify(request.headers)),
    );
    let header: string | undefined = 'Root=1-2-3';
    const traced = { ...options, traceHeader: () => header };
    const client = new ServiceClient(traced, { service: 'thing', contentType: 'text/plain' });
    const headers = async () => JSON.parse((await client.call('/', {}, '')).body) as object;
    const said = await headers();
    expect(said).toMatchObject({ 'x-amzn-trace-id': 'Root=1-2-3' });
    expect(said).not.toMatchObject({ authorization: expect.stringContaining('trace') });
    header = undefined;
    expect(await headers()).not.toHaveProperty('x-amzn-trace-id');
  });

  it('sends a signed POST with the operation and its input', async () => {
    const { call } = await serverThat(async (response, request) => {
      response.end(
        JSON.stringify({ method: request.method, path: request.url, ...request.headers }),
      );
    });
    expect(await call()).toMatchObject({
      method: 'POST',
      path: '/',
      'x-amz-target': 'Thing_1.Do',
      'content-type': 'application/x-amz-json-1.1',
      'content-length': '10',
      authorization: expect.stringContaining('Credential=id/'),
    });
  });

  it('does not retry a request whose first attempt fails after five seconds', async () => {
    let now = 0;
    const { options, requests } = await serverThat((response) => {
      now += 5_000;
      response.destroy();
    });
    const clock = { ...options.clock, now: () => now };
    const call = jsonService({ ...options, clock }, thing);
    await expect(call('Do', {})).rejects.toThrow('socket hang up');
    expect(requests()).toBe(1);
  });

  it('returns an empty object for an empty response', async () => {
    const { call } = await serverThat((response) => response.end());
    expect(await call()).toEqual({});
  });

  it('decodes a response whose chunks split a character', async () => {
    const text = JSON.stringify({ text: 'é🚲'.repeat(40_000) });
    const { call } = await serverThat((response) => {
      for (const byte of [Buffer.from(text).subarray(0, 12), Buffer.from(text).subarray(12)])
        response.write(byte);
      response.end();
    });
    expect(await call()).toEqual(JSON.parse(text));
  });
});

describe('a temporary error from an AWS service', () => {
  it.each<[string, Answer]>([
    ['a service fault', refusing(500, { __type: 'InternalServerError' })],
    ['an unavailable service', refusing(503, '<html>')],
    ['throttling', refusing(400, { __type: 'com.x#ThrottlingException' })],
    ['too many requests', refusing(429, { Message: 'slow down' }, { 'x-amzn-errortype': 'Slow:' })],
    ['a lost connection', hangsUp],
  ])('is retried if it is caused by %s', async (_, answer) => {
    const { call, requests, waits } = await serverThat(answer, fine);
    expect(await call()).toEqual({ done: true });
    expect([requests(), waits.length]).toEqual([2, 1]);
  });

  it('is thrown after three attempts', async () => {
    const { call, requests } = await serverThat(
      refusing(500, { __type: 'InternalServerError', message: 'not now' }),
    );
    await expect(call()).rejects.toMatchObject({ name: 'InternalServerError', message: 'not now' });
    expect(requests()).toBe(3);
  });

  it('is retried if the server sends nothing until the socket timeout', async () => {
    const { options } = await serverThat(() => {}, fine);
    // The timeout also applies to the second request, whose response takes longer while the machine is busy.
    const protocol = { service: 'thing', contentType: 'text/plain', socketTimeout: 1_000 };
    const { body } = await new ServiceClient(options, protocol).call('/', {}, '');
    expect(body).toBe('{"done":true}');
  });
});

describe('a permanent error from an AWS service', () => {
  it.each<[string, Answer, object]>([
    [
      'a type with its namespace',
      refusing(400, { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException' }),
      { name: 'ResourceNotFoundException', message: 'HTTP status 400' },
    ],
    [
      'a type with a URL suffix',
      refusing(404, { Message: 'gone' }, { 'x-amzn-errortype': 'NotFound:http://internal/x/' }),
      { name: 'NotFound', message: 'gone' },
    ],
    [
      'a body that is not JSON',
      refusing(400, '<html>no</html>'),
      { name: 'UnknownError', message: '<html>no</html>' },
    ],
    ['an empty body', refusing(403, ''), { name: 'UnknownError', message: 'HTTP status 403' }],
  ])('is thrown after one attempt if the response has %s', async (_, answer, error) => {
    const { call, requests } = await serverThat(answer);
    await expect(call()).rejects.toMatchObject({ code: 'aws-service', ...error });
    expect(requests()).toBe(1);
  });
});
