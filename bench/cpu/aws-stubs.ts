import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An endpoint that is as quick as can be, and whose time nobody counts. */
export interface Stub {
  readonly url: string;
  close(): Promise<void>;
}

/** The Invoke API of one function. */
export function lambdaEndpoint(invoke: (payload: string) => Promise<string>): Promise<Stub> {
  return serve(async (request) => invoke(await text(request)));
}

/** PutEvents of a bus that takes everything. */
export function eventBridgeEndpoint(): Promise<Stub> {
  return serve(async (request) => {
    const { Entries } = JSON.parse(await text(request)) as { Entries: unknown[] };
    return JSON.stringify({
      FailedEntryCount: 0,
      Entries: Entries.map((_, index) => ({ EventId: String(index) })),
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
