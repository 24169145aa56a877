import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAsyncServer } from '../../server/async-server.ts';
import { readBody } from '../../server/read-body.ts';
import type { InvocationMessage } from '../environment/environment-protocol.ts';
import { responseLimitBytes } from '../limits.ts';

/** A message that a runtime sends through the Runtime API. */
export type RuntimeMessage =
  /** The runtime is initialized, because it has requested its first invocation. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'init-failed'; readonly payload: string; readonly errorType: string }
  | { readonly kind: 'done'; readonly payload: string; readonly failed: boolean };

const base = '/2018-06-01/runtime';
const result = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/;

/**
 * The Runtime API of one execution environment, which listens only on 127.0.0.1. The runtime fetches invocations one at
 * a time and reports their results.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export class RuntimeApiServer {
  readonly #onMessage: (word: RuntimeMessage) => void;
  readonly #server: Server;
  /** The runtime's pending request for an invocation. */
  #pendingRequest: ServerResponse | undefined;
  /** The invocation that the runtime's next request receives. */
  #next: InvocationMessage | undefined;
  #running: InvocationMessage | undefined;
  #isReady = false;

  constructor(onMessage: (message: RuntimeMessage) => void) {
    this.#onMessage = onMessage;
    this.#server = createAsyncServer((request, response) => this.#respond(request, response));
    // A runtime reports a result on the connection that delivered the invocation, which can be idle for minutes.
    this.#server.keepAliveTimeout = 0;
  }

  /**
   * Starts listening, and returns the host and port for `AWS_LAMBDA_RUNTIME_API`.
   *
   * @throws Error if there is no free port, or if this process has too many open files.
   */
  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    const { port } = this.#server.address() as AddressInfo;
    return `127.0.0.1:${port}`;
  }

  /** Delivers an invocation to the runtime as soon as it requests one. */
  post(message: InvocationMessage): void {
    this.#next = message;
    this.#deliver();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/' } = request;
    if (method === 'GET' && url === `${base}/invocation/next`) {
      this.#pendingRequest = response;
      if (!this.#isReady) this.#onMessage({ kind: 'ready' });
      this.#isReady = true;
      this.#deliver();
      return;
    }
    const payload = (await readBody(request, responseLimitBytes)).toString();
    const [, id, what] = (method === 'POST' && result.exec(url)) || [];
    if (method === 'POST' && url === `${base}/init/error`) {
      accept(response);
      const { 'lambda-runtime-function-error-type': errorType = 'Runtime.Unknown' } =
        request.headers;
      this.#onMessage({ kind: 'init-failed', payload, errorType: String(errorType) });
    } else if (id !== undefined && id === this.#running?.requestId) {
      this.#running = undefined;
      accept(response);
      this.#onMessage({ kind: 'done', payload, failed: what === 'error' });
    } else if (id === undefined)
      sendError(response, 404, 'UnknownOperation', `${method} ${url} is not supported`);
    else sendError(response, 400, 'InvalidRequestID', `the invocation ${id} is not running`);
  }

  #deliver(): void {
    if (!this.#pendingRequest || !this.#next) return;
    const { requestId, deadline, invokedFunctionArn, clientContext, payload } = this.#next;
    const headers = {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': requestId,
      'lambda-runtime-deadline-ms': deadline,
      'lambda-runtime-invoked-function-arn': invokedFunctionArn,
      ...(clientContext === undefined ? {} : { 'lambda-runtime-client-context': clientContext }),
    };
    this.#running = this.#next;
    this.#pendingRequest.writeHead(200, headers).end(payload);
    this.#pendingRequest = undefined;
    this.#next = undefined;
  }
}

const accept = (response: ServerResponse) =>
  response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');

function sendError(
  response: ServerResponse,
  status: number,
  errorType: string,
  message: string,
): void {
  const body = JSON.stringify({ errorType, errorMessage: message });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
