import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CreateTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { CreateStreamCommand, ListStreamsCommand } from '@aws-sdk/client-kinesis';
import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttp2Handler, NodeHttpHandler } from '@smithy/node-http-handler';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Endpoint,
  EndpointError,
  startDynamoDb,
  startKinesis,
} from '../../../src/aws-local/endpoints/index.ts';
import { dynamoDbOf, isRunning, kinesisOf, running, temporaryFolder } from './support.ts';

describe.each([
  [
    'DynamoDB',
    {
      start: startDynamoDb,
      ask: (endpoint: Endpoint) => dynamoDbOf(endpoint).send(new ListTablesCommand({})),
      write: (endpoint: Endpoint) =>
        dynamoDbOf(endpoint).send(
          new CreateTableCommand({
            TableName: 'orders',
            KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
            AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
            BillingMode: 'PAY_PER_REQUEST',
          }),
        ),
      target: 'DynamoDB_20120810.ListTables',
      nothing: { TableNames: [] },
    },
  ],
  [
    'Kinesis',
    {
      start: startKinesis,
      ask: (endpoint: Endpoint) => kinesisOf(endpoint).send(new ListStreamsCommand({})),
      write: (endpoint: Endpoint) =>
        kinesisOf(endpoint).send(new CreateStreamCommand({ StreamName: 'orders', ShardCount: 1 })),
      target: 'Kinesis_20131202.ListStreams',
      nothing: { StreamNames: [] },
    },
  ],
])('the %s endpoint', (_, { start, ask, write, target, nothing }) => {
  it('responds after it starts, and ends its process when it is closed', async () => {
    const endpoint = await start({ port: 0, dataFolder: null });
    expect(endpoint.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(await ask(endpoint)).toMatchObject(nothing);

    await endpoint.close();

    expect(isRunning(endpoint.pid ?? 0)).toBe(false);
    expect(await endpoint.exited).toMatchObject({ expected: true });
    await expect(ask(endpoint)).rejects.toThrow('ECONNREFUSED');
  });

  it('responds over HTTP/1.1 and HTTP/2', async () => {
    const { url } = await running(start({ port: 0, dataFolder: null }));
    for (const handler of [new NodeHttpHandler(), new NodeHttp2Handler()]) {
      const { hostname, port } = new URL(url);
      const headers = {
        host: `${hostname}:${port}`,
        'content-type': target.startsWith('Kinesis')
          ? 'application/x-amz-json-1.1'
          : 'application/x-amz-json-1.0',
        'content-length': '2',
        'x-amz-target': target,
        'x-amz-date': '20260101T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/any/aws4_request, SignedHeaders=host, Signature=0',
      };
      const where = { protocol: 'http:', hostname, port: Number(port), method: 'POST', path: '/' };
      const { response } = await handler.handle(new HttpRequest({ ...where, headers, body: '{}' }));
      expect(response.statusCode).toBe(200);
      expect(JSON.parse(await text(response.body))).toMatchObject(nothing);
      handler.destroy();
    }
  });

  it('responds to a request for an invalid URL', async () => {
    const { url } = await running(start({ port: 0, dataFolder: null }));
    const { hostname, port } = new URL(url);
    const headers = { 'content-type': 'application/json', 'x-amz-target': target };
    const options = { hostname, port, path: 'http://[/?x', method: 'POST', headers };
    const [response] = await once(request(options).end('{}'), 'response');
    expect(await text(response as IncomingMessage)).toMatch(/"__type":".+"/);
  });

  it('fails to start if its data folder is in use', async () => {
    const dataFolder = await temporaryFolder();
    await running(start({ port: 0, dataFolder }));
    await expect(start({ port: 0, dataFolder })).rejects.toMatchObject({
      code: 'data-folder',
      message: expect.stringMatching(
        `^the data folder ${dataFolder}.* is in use by another process$`,
      ),
    });
  });

  it.each(['is damaged', 'is missing'])(
    'fails to start and states a remedy if the manifest of its LevelDB files %s',
    async (fault) => {
      const dataFolder = await temporaryFolder();
      await (await start({ port: 0, dataFolder })).close();
      const [manifest] = await Array.fromAsync(glob(join(dataFolder, '*', 'MANIFEST-*')));
      if (fault === 'is missing') await rm(manifest!);
      else await writeFile(manifest!, 'damaged');
      await expect(start({ port: 0, dataFolder })).rejects.toMatchObject({
        code: 'data-folder',
        message: expect.stringMatching(
          `^the data folder ${dataFolder}.* is damaged .*; restore it from a copy, or delete it to start without its data$`,
        ),
      });
    },
  );

  // Only Linux has prlimit. With a lower limit on the file size, writes fail as on a full disk.
  it.skipIf(process.platform !== 'linux')(
    'exits with a one-line reason when it cannot write its data, and responds after a restart',
    async () => {
      const dataFolder = await temporaryFolder();
      const endpoint = await running(start({ port: 0, dataFolder }));
      await promisify(execFile)('prlimit', ['--pid', String(endpoint.pid), '--fsize=0:']);

      await expect(write(endpoint)).rejects.toBeInstanceOf(Error);

      const { expected, lastWords } = await endpoint.exited;
      expect(expected).toBe(false);
      expect(lastWords.trim()).toMatch(
        new RegExp(`^cannot write data: .*${dataFolder}.*File too large$`),
      );
      const restarted = await running(start({ port: 0, dataFolder }));
      expect(await ask(restarted)).toMatchObject(nothing);
      await write(restarted);
    },
  );

  it('keeps running if a client disconnects during a request', async () => {
    const endpoint = await running(start({ port: 0, dataFolder: null }));
    const client = connect(Number(new URL(endpoint.url).port), '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf of it');
    // The response to a second client shows that the bytes of the first client have been read.
    await ask(endpoint);
    client.resetAndDestroy();
    await once(client, 'close');
    await ask(endpoint);
    expect(await ask(endpoint)).toMatchObject(nothing);
  });
});

// Only Linux has loopback addresses other than 127.0.0.1 by default.
describe.skipIf(process.platform !== 'linux')(
  'an endpoint at an address other than 127.0.0.1',
  () => {
    /** Sends a request with a host name. Resolves with the content type of the response. */
    const ask = ({ url }: { readonly url: string }, host: string) =>
      new Promise<string | undefined>((resolve, reject) => {
        get(url.replace('127.0.0.1', '127.0.0.2'), { headers: { host } }, (response) => {
          response.resume();
          resolve(response.headers['content-type']);
        }).once('error', reject);
      });

    it('accepts no connections by default', async () => {
      const endpoint = await running(startKinesis({ port: 0, dataFolder: null }));
      await expect(ask(endpoint, 'milepost:4567')).rejects.toThrow('ECONNREFUSED');
    });

    it('accepts the name of a container but no public host name if it listens on all networks', async () => {
      const endpoint = await running(startKinesis({ host: '0.0.0.0', port: 0, dataFolder: null }));
      expect(await ask(endpoint, 'milepost:4567')).not.toBe('application/problem+json');
      expect(await ask(endpoint, 'example.com:4567')).toBe('application/problem+json');
    });
  },
);

describe('an endpoint', () => {
  it('listens on the configured port and fails to start if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await expect(startKinesis({ port, dataFolder: null })).rejects.toMatchObject({
      code: 'port-in-use',
      message: `port ${port} is already in use`,
    });

    other.close();
    const endpoint = await running(startKinesis({ port, dataFolder: null }));
    expect(endpoint.url).toBe(`http://127.0.0.1:${port}`);
  });

  it('fails to start if its data folder is not writable', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const failure = await startKinesis({ port: 0, dataFolder: join(file, 'data') }).catch((e) => e);
    expect(failure).toBeInstanceOf(EndpointError);
    expect(failure).toMatchObject({ code: 'data-folder' });
    expect(failure.message).toContain(file);
  });

  it('reports the unexpected exit of its process', async () => {
    const endpoint = await running(startKinesis({ port: 0, dataFolder: null }));
    process.kill(endpoint.pid ?? 0, 'SIGKILL');
    expect(await endpoint.exited).toMatchObject({ expected: false, signal: 'SIGKILL' });
  });

  it('ignores SIGINT and SIGTERM, which its parent process handles', async () => {
    const endpoint = await running(startKinesis({ port: 0, dataFolder: null }));
    process.kill(endpoint.pid ?? 0, 'SIGINT');
    process.kill(endpoint.pid ?? 0, 'SIGTERM');
    const answer = await kinesisOf(endpoint).send(new ListStreamsCommand({}));
    expect(answer).toMatchObject({ StreamNames: [] });
  });

  it('exits when its parent process is killed', async () => {
    const script = fileURLToPath(new URL('./parent-process.ts', import.meta.url));
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
    const pids = JSON.parse(line as string) as number[];
    expect(pids.map(isRunning)).toEqual([true, true]);

    parent.kill('SIGKILL');

    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]), 5_000);
  });
});
