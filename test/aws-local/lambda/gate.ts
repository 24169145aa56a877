import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The source code of `pass(port)`, a function that lets a handler wait at a gate. */
export const pass = `
import { connect } from 'node:net';
const pass = (port) => new Promise((resolve) => connect(port, '127.0.0.1').resume().once('end', resolve));
`;

/** A gate that makes handlers in other processes wait. */
export class Gate implements Disposable {
  readonly port: number;
  readonly #server: Server;
  readonly #inside: Socket[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    // Ignore errors from handlers that are killed while they wait.
    server.on('connection', (socket) => this.#inside.push(socket.resume().on('error', () => {})));
  }

  static async start(): Promise<Gate> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Gate(server);
  }

  /** Resolves when the given number of invocations are waiting. */
  async holds(count: number): Promise<void> {
    while (this.#inside.length < count) await once(this.#server, 'connection');
  }

  /** The number of waiting invocations whose processes are running. */
  get inside(): number {
    return this.#inside.filter((socket) => !socket.closed).length;
  }

  /** Lets all waiting invocations continue. */
  open(): void {
    for (const socket of this.#inside) socket.end();
  }

  [Symbol.dispose](): void {
    for (const socket of this.#inside) socket.destroy();
    this.#server.close();
  }
}
