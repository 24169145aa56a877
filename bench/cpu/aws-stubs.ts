import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A minimal AWS endpoint, whose CPU time the benchmark does not measure. */
export interface Stub {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an endpoint that implements Lambda's Invoke for one function. */
export function lambdaEndpoint(invoke: (payload: string) => Promise<string>): Promise<Stub> {
  return serve(async (request) => invoke(await text(request)));
}

/** Starts an endpoint that implements Kinesis PutRecords and accepts all records. */
export function kinesisEndpoint(): Promise<Stub> {
  return serve(async (request) => {
    const { Records } = JSON.parse(await text(request)) as { Records: unknown[] };
    return JSON.stringify({
      FailedRecordCount: 0,
      Records: Records.map((_, index) => ({ SequenceNumber: String(index), ShardId: 'shard-0' })),
    });
  });
}

async function serve(answer: (request: IncomingMessage) => Promise<string>): Promise<Stub> {
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.setHeader('content-type', 'application/json').end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  const gone = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await gone;
}
