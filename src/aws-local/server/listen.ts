import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './start-error.ts';
import { refuseForeignPages } from './trusted-clients.ts';

/**
 * The addresses a server accepts connections on: this machine only, or every network. In a container it must be
 * every network, because requests to a published port come from outside.
 */
export type ListenHost = '127.0.0.1' | '0.0.0.0';

/** A server that answers, and how to reach and end it. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
}

/** Who may reach a server. */
export interface ListenOptions {
  /** @default '127.0.0.1' */
  readonly host?: ListenHost;
  /** For `refuseForeignPages`. @default false */
  readonly answersOrigins?: boolean;
}

/**
 * Has a server listen, for programs and for pages of this machine: see `refuseForeignPages`.
 *
 * @param port 0 picks a free one.
 * @throws StartError when the port is taken.
 */
export async function listen(
  server: Server,
  port: number,
  { host = '127.0.0.1', answersOrigins = false }: ListenOptions = {},
): Promise<RunningServer> {
  refuseForeignPages(server, { answersOrigins });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject).listen(port, host, listening.resolve);
  try {
    await listening.promise;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE' ? `port ${port} is already in use` : `port ${port}: ${message}`;
    throw new StartError(reason, { cause: error });
  }
  server.removeListener('error', listening.reject);
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actual}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}
