import type { Socket } from 'node:net';
import type { HttpAnswer, HttpRequest } from './http-message.ts';
import { ResponseReader } from './response-reader.ts';

/** The delay before the first TCP keep-alive probe, in milliseconds. Probes keep long requests alive behind a NAT. */
const keepAliveDelay = 1_000;

interface Exchange {
  readonly reader: ResponseReader;
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A connection to an HTTP/1.1 server, for one request at a time. An open connection without a request does not keep the
 * process running.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #exchange: Exchange | undefined;
  #isOpen = true;

  /**
   * @param socket a socket that is connecting or connected.
   * @param patience how long the connection can be inactive during a request, in milliseconds. Default: unlimited.
   */
  constructor(socket: Socket, patience?: number) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveDelay);
    if (patience !== undefined) socket.setTimeout(patience);
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('timeout', () => {
      if (this.#exchange) this.#close(errorOf('ETIMEDOUT', 'no response in time'));
    });
    socket.on('error', (error) => this.#close(error));
    socket.on('close', () => this.#end());
  }

  /** False if the connection cannot be used for another request. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Sends a request and returns the response. The previous request must be complete.
   *
   * @throws Error if the connection fails or the server sends an invalid response; connection errors have a `code`.
   *   TypeError if the path or a header contains invalid characters.
   */
  send(request: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const bytes = encode(request);
      this.#exchange = { reader: new ResponseReader(), resolve, reject };
      this.#socket.ref();
      this.#socket.write(bytes);
    });
  }

  #receive(bytes: Buffer): void {
    const exchange = this.#exchange;
    if (!exchange) return this.#close(errorOf('EPROTO', 'a response without a request'));
    try {
      const answer = exchange.reader.read(bytes);
      if (answer) this.#complete(exchange, answer);
    } catch (error) {
      this.#close(error);
    }
  }

  #complete({ reader, resolve }: Exchange, answer: HttpAnswer): void {
    this.#exchange = undefined;
    if (reader.canReuse) this.#socket.unref();
    else this.#close(undefined);
    resolve(answer);
  }

  /** Called when the socket is closed. */
  #end(): void {
    const exchange = this.#exchange;
    const answer = exchange?.reader.end();
    if (exchange && answer) this.#complete(exchange, answer);
    else this.#close(errorOf('ECONNRESET', 'socket hang up'));
  }

  #close(error: unknown): void {
    this.#isOpen = false;
    this.#socket.destroy();
    this.#exchange?.reject(error);
    this.#exchange = undefined;
  }
}

const errorOf = (code: string, message: string) => Object.assign(new Error(message), { code });

/** Encodes a request for the connection. Throws a TypeError if the path or a header contains invalid characters. */
function encode({ method, path, headers, body }: HttpRequest): string {
  if (/[^!-~]/.test(path))
    throw new TypeError(`the path of a request must be URL-encoded; got ${JSON.stringify(path)}`);
  let text = `${method} ${path} HTTP/1.1\r\n`;
  for (const name in headers) {
    const value = headers[name]!;
    if (/[^\t -~]/.test(value))
      throw new TypeError(
        `the header ${name} must contain only ASCII characters; got ${JSON.stringify(value)}`,
      );
    text += `${name}: ${value}\r\n`;
  }
  if (method === 'POST') text += `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${text}\r\n${body}`;
}
