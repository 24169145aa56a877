import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { buffer } from 'node:stream/consumers';

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** A minimal client of Restate's ingress, which sends concurrent requests over one HTTP/2 connection. */
export class Ingress implements AsyncDisposable {
  readonly #session: ClientHttp2Session;

  constructor(url: string) {
    this.#session = connect(url);
  }

  async post(path: string, body: unknown, idempotencyKey?: string): Promise<Answer> {
    const stream = this.#session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      ...(body !== undefined && { [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    });
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    const { promise: status, resolve, reject } = Promise.withResolvers<number>();
    stream.once('error', reject);
    stream.once('response', (headers) => resolve(Number(headers[constants.HTTP2_HEADER_STATUS])));
    return { status: await status, body: await buffer(stream) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => this.#session.close(resolve));
  }
}
