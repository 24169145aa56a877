import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen, type RunningServer } from '../../../src/aws-local/server/listen.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly 'detail-type': string;
    readonly detail: Readonly<Record<string, unknown>>;
  };
}

/** A server that receives webhooks and records them. */
export class WebhookReceiver implements AsyncDisposable {
  /** All requests, including requests that the receiver rejected. */
  readonly requests: Received[] = [];
  /** The requests that the receiver accepted with a 2xx status. */
  readonly taken: Received[] = [];
  /** Returns the HTTP status of the response to a request. */
  answer: (request: Received) => number | Promise<number> = () => 204;
  #listening!: RunningServer;
  #changed = Promise.withResolvers<void>();

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    const server = createServer((request, response) => {
      void (async () => {
        const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
        const text = body.toString();
        const received = { headers: request.headers, body: text, event: JSON.parse(text) };
        receiver.requests.push(received);
        const status = await receiver.answer(received);
        if (status < 300) receiver.taken.push(received);
        response.writeHead(status, { location: '/elsewhere' }).end();
        receiver.#changed.resolve();
        receiver.#changed = Promise.withResolvers();
      })();
    });
    receiver.#listening = await listen(server, 0);
    return receiver;
  }

  get url(): string {
    return `${this.#listening.url}/hook`;
  }

  /** Resolves when the condition is true. Checks the condition after each request. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#changed.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listening[Symbol.asyncDispose]();
  }
}

/** Returns the expected signature of a request, according to the specification. */
export function signatureOf({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
