import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publishedVersions } from '../../../src/aws/registry/published-versions.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:orders';
const path = `/2015-03-31/functions/${encodeURIComponent(functionArn)}`;

let stack: AsyncDisposableStack;
let requests: string[];
beforeEach(() => {
  stack = new AsyncDisposableStack();
  requests = [];
});
afterEach(() => stack.disposeAsync());

async function versionsOf(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { signal } = new AbortController(),
) {
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const { url } = stack.use(await listen(server, 0));
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  return publishedVersions({ region: 'us-east-1', endpoint: url, credentials }, signal);
}

describe('publishedVersions', () => {
  it('lists the versions of all pages', async () => {
    const versions = await versionsOf(({ url }, response) => {
      const page = url?.includes('Marker')
        ? { Versions: [{ Version: '2' }], NextMarker: null }
        : { Versions: [{ Version: '$LATEST' }, { Version: '1' }], NextMarker: 'a+b/c=' };
      response.end(JSON.stringify(page));
    });
    expect(await versions.list(functionArn)).toEqual(['$LATEST', '1', '2']);
    expect(requests).toEqual([`GET ${path}/versions`, `GET ${path}/versions?Marker=a%2Bb%2Fc%3D`]);
  });

  it('deletes only the version and never the function', async () => {
    const versions = await versionsOf((_, response) => response.writeHead(204).end());
    await versions.delete(functionArn, '7');
    await expect(versions.delete(functionArn, '')).rejects.toThrow(TypeError);
    expect(requests).toEqual([`DELETE ${path}?Qualifier=7`]);
  });

  it('treats a version that does not exist as deleted', async () => {
    const versions = await versionsOf((_, response) =>
      response.writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' }).end('{}'),
    );
    await versions.delete(functionArn, '7');
    expect(requests).toHaveLength(1);
  });

  it('throws if Lambda rejects the request', async () => {
    const versions = await versionsOf((_, response) =>
      response.writeHead(409, { 'x-amzn-errortype': 'ResourceConflictException' }).end('{}'),
    );
    await expect(versions.delete(functionArn, '7')).rejects.toMatchObject({
      name: 'ResourceConflictException',
    });
  });

  it('sends no request after the signal has aborted', async () => {
    const stopping = new AbortController();
    const versions = await versionsOf((_, response) => response.writeHead(204).end(), stopping);
    stopping.abort();
    await expect(versions.list(functionArn)).rejects.toThrow(/abort/i);
    await expect(versions.delete(functionArn, '7')).rejects.toThrow(/abort/i);
    expect(requests).toEqual([]);
  });
});
