import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './start-error.ts';
import { rejectForeignPages } from './trusted-clients.ts';

/**
 * The network addresses on which a server listens: only this machine, or all networks. In a container, a server must
 * listen on all networks because requests to a published port come from outside the container.
 */
export type ListenHost = '127.0.0.1' | '0.0.0.0';

/** A listening server, with its URL and a function that stops it. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
}

/** Options that control which clients can reach a server. */
export interface ListenOptions {
  /** @default '127.0.0.1' */
  readonly host?: ListenHost;
  /** True if the server checks origins itself: see `rejectForeignPages`. @default false */
  readonly checksOrigins?: boolean;
}

/**
 * Starts a server that rejects requests from the web pages of other sites: see `rejectForeignPages`.
 *
 * @param port 0 picks a free port.
 * @throws StartError if the port cannot be used, for example because it is in use.
 */
export async function listen(
  server: Server,
  port: number,
  { host = '127.0.0.1', checksOrigins = false }: ListenOptions = {},
): Promise<RunningServer> {
  rejectForeignPages(server, { checksOrigins });
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
