import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The fault of a proxy: it delays bytes, holds them until the fault ends, or breaks connections. */
export type Slowness = 'delays' | 'stalls' | 'resets';

/** Forwards connections to an endpoint of the service. On request, delays, holds, or breaks them. */
export class SlowProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #slowness: Slowness | undefined;
  #passed = Promise.resolve();

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const endpoint = connect(port, '127.0.0.1');
      void this.#forward(client, endpoint);
      void this.#forward(endpoint, client);
    });
  }

  static async to(port: number): Promise<SlowProxy> {
    const proxy = new SlowProxy(port);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Applies a fault to the endpoint for `ms` milliseconds. Resolves when the fault ends. */
  async slowDown(slowness: Slowness, ms: number): Promise<void> {
    this.#slowness = slowness;
    this.#passed = pause(ms);
    await this.#passed;
    this.#slowness = undefined;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #forward(from: Socket, to: Socket): Promise<void> {
    this.#sockets.add(from);
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        if (this.#slowness === 'resets') break;
        if (this.#slowness === 'delays') await pause(100);
        if (this.#slowness === 'stalls') await this.#passed;
        if (!to.write(chunk)) await once(to, 'drain');
      }
      if (this.#slowness === 'resets') from.resetAndDestroy();
    } catch {
      // One side closed its connection, so close the other connection too.
    } finally {
      to.destroy();
      this.#sockets.delete(from);
    }
  }
}
