import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { InvokeCommand, type InvokeCommandInput, LambdaClient } from '@aws-sdk/client-lambda';
import { NodeHttp2Handler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInvokeServer } from '../../../src/aws-local/lambda/invoke-server.ts';
import { LambdaApiError } from '../../../src/aws-local/lambda/lambda-api-error.ts';
import type { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { define, hostOf } from './bundles.ts';

const source = `
export const handler = async (event, context) => {
  if (event?.fail) throw new Error('failed');
  console.log('hello');
  return { event, arn: context.invokedFunctionArn, client: context.clientContext };
};`;

const arn = 'arn:aws:lambda:eu-west-1:123456789012:function:echo';
let host: LambdaHost;
let server: ReturnType<typeof createInvokeServer>;
let endpoint: string;
let client: LambdaClient;

beforeAll(async () => {
  host = hostOf([
    await define('echo', source),
    await define('stopped', source, { reservedConcurrency: 0 }),
  ]);
  server = createInvokeServer(host).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new LambdaClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
});

afterAll(() => {
  client.destroy();
  server.close();
});

async function invoke(input: Partial<InvokeCommandInput> = {}) {
  const answer = await client.send(new InvokeCommand({ FunctionName: 'echo', ...input }));
  const text = answer.Payload?.transformToString() ?? '';
  return { ...answer, payload: text === '' ? text : JSON.parse(text) };
}

/** Returns JSON with the given number of bytes. */
function filled(bytes: number): string {
  return JSON.stringify('x'.repeat(bytes - 2));
}

function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers = {},
): Promise<Response> {
  return fetch(`${endpoint}/2015-03-31/functions/${path}`, { method: 'POST', body, headers });
}

describe('the Invoke API over HTTP', () => {
  it('supports HTTP/1.1 and HTTP/2 on one port', async () => {
    const http2 = new LambdaClient({
      endpoint,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      requestHandler: new NodeHttp2Handler(),
    });
    const answer = await http2.send(
      new InvokeCommand({ FunctionName: 'echo', Payload: '{"a":1}' }),
    );
    expect(answer.Payload?.transformToString()).toContain('"event":{"a":1}');
    http2.destroy();
  });

  it('runs the function and returns its result', async () => {
    const answer = await invoke({ Payload: '{"a":"é"}' });
    expect(answer.FunctionError).toBeUndefined();
    expect(answer.LogResult).toBeUndefined();
    expect(answer).toMatchObject({
      StatusCode: 200,
      ExecutedVersion: '$LATEST',
      payload: { event: { a: 'é' }, arn },
    });
    expect(answer.$metadata.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('passes an empty object to the function if there is no payload', async () => {
    expect((await invoke()).payload.event).toEqual({});
  });

  it('accepts any JSON payload', async () => {
    expect((await invoke({ Payload: '[1]' })).payload.event).toEqual([1]);
    expect((await invoke({ Payload: 'null' })).payload.event).toBeNull();
  });

  it.each([
    'echo',
    'echo:$LATEST',
    'function:echo',
    '123456789012:function:echo',
    arn,
    `${arn}:$LATEST`,
  ])('finds the function with the function name %s', async (FunctionName) => {
    expect((await invoke({ FunctionName })).StatusCode).toBe(200);
  });

  it('reports that the function failed', async () => {
    expect(await invoke({ Payload: '{"fail":1}' })).toMatchObject({
      StatusCode: 200,
      FunctionError: 'Unhandled',
      payload: { errorType: 'Error', errorMessage: 'failed' },
    });
  });

  it('returns the log on request', async () => {
    const { LogResult = '' } = await invoke({ LogType: 'Tail' });
    expect(Buffer.from(LogResult, 'base64').toString()).toMatch(
      /START .*[^]*hello\n[^]*REPORT .*\n$/,
    );
  });

  it('passes the client context to the function', async () => {
    const ClientContext = Buffer.from('{"custom":{"k":"v"}}').toString('base64');
    expect((await invoke({ ClientContext })).payload.client).toEqual({ custom: { k: 'v' } });
  });

  it('returns no result for the invocation types Event and DryRun', async () => {
    const before = host.statistics().echo?.invocations;
    expect(await invoke({ InvocationType: 'DryRun' })).toMatchObject({
      StatusCode: 204,
      payload: '',
    });
    expect(host.statistics().echo?.invocations).toBe(before);
    expect(await invoke({ InvocationType: 'Event' })).toMatchObject({
      StatusCode: 202,
      payload: '',
    });
    await expect.poll(() => host.statistics().echo?.invocations).toBe((before ?? 0) + 1);
  });
});

describe('an error from the Invoke API', () => {
  it.each([
    [
      'an unknown function',
      { FunctionName: 'none' },
      'ResourceNotFoundException',
      404,
      'Function not found: arn:aws:lambda:eu-west-1:123456789012:function:none:$LATEST',
    ],
    [
      'another account',
      { FunctionName: arn.replace('1234', '9999') },
      'ResourceNotFoundException',
      404,
      'Function not found: arn:aws:lambda:eu-west-1:999956789012:function:echo:$LATEST',
    ],
    [
      'an unknown version',
      { Qualifier: '7' },
      'ResourceNotFoundException',
      404,
      'Function not found: arn:aws:lambda:eu-west-1:123456789012:function:echo:7',
    ],
    [
      'two different versions',
      { FunctionName: 'echo:$LATEST', Qualifier: '7' },
      'InvalidParameterValueException',
      400,
      'The derived qualifier from the function name does not match the specified qualifier.',
    ],
    [
      'a body that is not JSON',
      { Payload: '{"a"' },
      'InvalidRequestContentException',
      400,
      expect.stringMatching(/^Could not parse request body into json: /),
    ],
    [
      'a body that is not UTF-8',
      { Payload: Uint8Array.of(0x22, 0x87, 0x22) },
      'InvalidRequestContentException',
      400,
      expect.stringContaining('UTF-8'),
    ],
    [
      'a client context that is not JSON',
      { ClientContext: 'bm8=' },
      'InvalidRequestContentException',
      400,
      'Client context must be a valid Base64-encoded JSON object.',
    ],
    [
      'a throttled function',
      { FunctionName: 'stopped' },
      'TooManyRequestsException',
      429,
      'Rate Exceeded.',
    ],
  ])(
    'for %s has a specific error class in the AWS SDK',
    async (_what, input, name, status, message) => {
      await expect(invoke(input)).rejects.toMatchObject({
        name,
        message,
        $metadata: { httpStatusCode: status },
      });
    },
  );

  it('names the limit that a throttled invocation exceeded', async () => {
    await expect(invoke({ FunctionName: 'stopped' })).rejects.toMatchObject({
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
      Type: 'User',
    });
  });

  it('for an unknown invocation type has status 400', async () => {
    const answer = await post('echo/invocations', '{}', { 'x-amz-invocation-type': 'Later' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-amzn-errortype')).toBe('ValidationException');
    expect(await answer.json()).toEqual({
      message: expect.stringContaining("Value 'Later' at 'invocationType'"),
    });
  });

  it('has status 404 for an unsupported operation, and status 400 for an invalid name', async () => {
    expect((await post('echo', '{}')).status).toBe(404);
    expect((await fetch(endpoint)).status).toBe(404);
    expect((await post('a%20b/invocations', '{}')).status).toBe(400);
    expect((await post('%zz/invocations', '{}')).status).toBe(400);
  });

  it.each([
    ['RequestResponse', 6_291_456],
    ['Event', 1_048_576],
  ] as const)(
    'has status 413 for an invocation of type %s with a payload of more than %i bytes',
    async (InvocationType, limit) => {
      await expect(invoke({ InvocationType, Payload: filled(limit + 1) })).rejects.toMatchObject({
        name: 'RequestEntityTooLargeException',
        $metadata: { httpStatusCode: 413 },
        Type: 'User',
      });
      // The connection remains usable for a smaller payload.
      const fits = await invoke({ InvocationType: 'DryRun', Payload: filled(limit) });
      expect(fits.StatusCode).toBe(204);
    },
  );
});

describe('LambdaApiError', () => {
  it('is the error that direct callers of the host receive', async () => {
    const refused = host.invoke({ functionName: 'none' });
    await expect(refused).rejects.toBeInstanceOf(LambdaApiError);
  });
});
