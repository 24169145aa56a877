import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';

/** A request that has been read to its end. */
export interface BufferedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An answer, before it is sent. */
export interface BufferedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

/** Answers requests, as the listener that a server was made with. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Takes a server's listeners for requests off it; calling the result calls them. */
export function detachListeners(server: Server): RequestListener {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  return (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
}

/** Reads a request to its end. Undefined: it has more than `maximumBytes`, and the rest is dropped. */
export async function bufferRequest(
  request: IncomingMessage,
  maximumBytes: number,
): Promise<BufferedRequest | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maximumBytes) chunks.push(chunk);
  }
  if (length > maximumBytes) return undefined;
  const { method = '', url = '/', headers } = request;
  return { method, url, headers, body: Buffer.concat(chunks, length) };
}

/** Has a listener answer a request that was read, in place of the one that it came as. */
export function dispatchRequest(
  listener: RequestListener,
  { body, ...request }: BufferedRequest,
  response: ServerResponse,
): void {
  const replayed = Object.assign(new EventEmitter(), request);
  listener(replayed as unknown as IncomingMessage, response);
  if (body.length > 0) replayed.emit('data', body);
  replayed.emit('end');
}

/** The same, with the answer returned and not sent. */
export function collectResponse(
  listener: RequestListener,
  request: BufferedRequest,
): Promise<BufferedResponse> {
  return new Promise((resolve) => {
    const headers: Record<string, string | number> = {};
    const response = {
      statusCode: 200,
      setHeader(name: string, value: string | number) {
        headers[name.toLowerCase()] = value;
      },
      end(body: string | null = '') {
        resolve({ status: response.statusCode, headers, body: body ?? '' });
      },
    };
    dispatchRequest(listener, request, response as unknown as ServerResponse);
  });
}
