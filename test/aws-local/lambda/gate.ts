import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** What a handler does to wait at a gate: `await pass(port)`. */
export const pass = `
import { connect } from 'node:net';
const pass = (port) => new Promise((resolve) => connect(port, '127.0.0.1').resume().once('end', resolve));
`;

/** Lets invocations wait inside their handlers, in their processes, and says when they do. */
export class Gate implements Disposable {
  readonly port: number;
  readonly #server: Server;
  readonly #inside: Socket[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    // A handler that is killed while it waits is none of the gate's business.
    server.on('connection', (socket) => this.#inside.push(socket.resume().on('error', () => {})));
  }

  static async start(): Promise<Gate> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Gate(server);
  }

  /** Resolves when so many wait. */
  async holds(count: number): Promise<void> {
    while (this.#inside.length < count) await once(this.#server, 'connection');
  }

  /** How many wait, and have not come to an end. */
  get inside(): number {
    return this.#inside.filter((socket) => !socket.closed).length;
  }

  /** Lets those pass that wait. */
  open(): void {
    for (const socket of this.#inside) socket.end();
  }

  [Symbol.dispose](): void {
    for (const socket of this.#inside) socket.destroy();
    this.#server.close();
  }
}
