import { createServer, type RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventSourceMappings } from '../../../src/aws/client/event-source-mappings.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';
import { skipSleep } from '../../support/skip-sleep.ts';

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

async function readerOf(answer: RequestListener) {
  const { url } = stack.use(await listen(createServer(answer), 0));
  return eventSourceMappings({
    region: 'us-east-1',
    endpoint: url,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    clock: { now: () => Date.now(), sleep: skipSleep },
  });
}

describe('the event source mapping client', () => {
  it('reads the state and the last result of a mapping with a signed GET', async () => {
    const requests: unknown[] = [];
    const reader = await readerOf(({ method, url, headers }, response) => {
      requests.push([method, url, headers.authorization?.slice(0, 16)]);
      response.end('{"UUID":"a-1","State":"Disabled","LastProcessingResult":"OK","BatchSize":500}');
    });
    expect(await reader.read('a-1')).toEqual({
      state: 'Disabled',
      lastProcessingResult: 'OK',
    });
    expect(requests).toEqual([
      ['GET', '/2015-03-31/event-source-mappings/a-1', 'AWS4-HMAC-SHA256'],
    ]);
  });

  it('throws if AWS denies access', async () => {
    const reader = await readerOf((_, response) => {
      response.writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' });
      response.end('{"Message":"not allowed"}');
    });
    await expect(reader.read('a-1')).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('retries if Lambda throttles the request', async () => {
    let attempts = 0;
    const reader = await readerOf((_, response) => {
      if (attempts++ > 0) response.end('{"State":"Enabled"}');
      else response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' }).end('{}');
    });
    expect(await reader.read('a-1')).toEqual({ state: 'Enabled', lastProcessingResult: '' });
  });
});
