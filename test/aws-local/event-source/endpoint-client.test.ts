import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { EndpointClient } from '../../../src/aws-local/event-source/endpoint-client.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';

let running = new AsyncDisposableStack();
afterEach(async () => {
  await running.disposeAsync();
  running = new AsyncDisposableStack();
});

async function clientOf(listener: RequestListener): Promise<EndpointClient> {
  const { url } = running.use(await listen(createServer(listener), 0));
  return new EndpointClient(url, {
    name: 'kinesis',
    target: 'Kinesis_20131202',
    jsonVersion: '1.1',
  });
}

describe('a client of a local endpoint', () => {
  it('throws an error with the name of the error type in the response', async () => {
    const client = await clientOf((_, response) => {
      response.writeHead(400).end('{"__type":"com.amazonaws#ExpiredIteratorException"}');
    });
    await expect(client.send('GetRecords', {})).rejects.toThrow(
      expect.objectContaining({ name: 'ExpiredIteratorException' }),
    );
  });

  it('fails if the endpoint closes the connection instead of responding', async () => {
    const client = await clientOf((request) => void request.socket.destroy());
    await expect(client.send('GetRecords', {})).rejects.toThrow('hang up');
  });

  it('stops reading a response when its signal aborts', async () => {
    const stop = new AbortController();
    const client = await clientOf((_, response) => {
      response.writeHead(200).write('{"Records":');
      setImmediate(() => stop.abort());
    });
    await expect(client.send('GetRecords', {}, stop.signal)).rejects.toThrow('aborted');
  });
});
