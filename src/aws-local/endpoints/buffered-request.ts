import { EventEmitter } from 'node:events';
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import { readBody } from '../server/read-body.ts';

/** A request with its complete body. */
export interface BufferedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A response that has not been sent yet. */
export interface BufferedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

/** Reads a request completely. Returns undefined if its body exceeds `maximumBytes`. */
export async function bufferRequest(
  request: IncomingMessage,
  maximumBytes: number,
): Promise<BufferedRequest | undefined> {
  const body = await readBody(request, maximumBytes);
  if (body.length > maximumBytes) return undefined;
  const { method = '', url = '/', headers } = request;
  return { method, url, headers, body };
}

/**
 * Passes a buffered request to a listener as if it had just arrived. The length of the body is hidden because
 * kinesalite has a smaller limit than Kinesis. The caller must limit the length.
 */
export function dispatchRequest(
  listener: RequestListener,
  { body, ...request }: BufferedRequest,
  response: ServerResponse,
): void {
  const replayed = Object.assign(new EventEmitter(), request);
  listener(replayed as unknown as IncomingMessage, response);
  if (body.length > 0) replayed.emit('data', { length: 0, toString: () => body.toString() });
  replayed.emit('end');
}

/** Passes a buffered request to a listener, and returns the response instead of sending it. */
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
