import type { Server } from 'node:http';
import { acceptHttp2 } from '../server/accept-http2.ts';
import type { EndpointErrorCode } from '../server/endpoint-error.ts';
import type { ListenHost } from '../server/listen.ts';
import { refuseForeignPages } from '../server/trusted-clients.ts';

/** The options that the parent passes to an endpoint's process as a single JSON argument. */
export interface ServeOptions {
  readonly host: ListenHost;
  readonly port: number;
  /** The folder of the database, or `null` to keep it in memory. */
  readonly path: string | null;
}

/** The process's report, printed as one line: the port that it listens on, or the reason why it failed to start. */
export type ServeReport =
  | { readonly port: number }
  | { readonly code: EndpointErrorCode; readonly reason: string };

/**
 * The main function of an endpoint's process. Serves until standard input ends, which is a pipe from the parent, so the
 * process also exits when the parent is killed.
 */
export async function serve(open: (path: string | null) => Promise<Server>): Promise<void> {
  // Ctrl-C reaches the whole process group. The parent coordinates the shutdown.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.stdin.resume().once('close', () => process.exit());
  const { host, port, path } = JSON.parse(process.argv[2] ?? '') as ServeOptions;
  try {
    const server = acceptHttp2(refuseForeignPages(await open(path)));
    await listen(server, port, host);
    process.stdin.removeAllListeners('close').once('close', () => finish(server));
    const address = server.address();
    answer({ port: typeof address === 'object' && address !== null ? address.port : port });
  } catch (error) {
    answer({ code: codeOf(error), reason: reasonOf(error) });
    process.stdin.destroy();
  }
}

async function listen(server: Server, port: number, host: ListenHost): Promise<void> {
  // These packages throw when a client disconnects during a request, which would end the process. Their own listeners
  // run before this one.
  server.on('request', (request) => {
    request.removeAllListeners('error');
    request.on('error', () => {});
  });
  // Longer than clients keep idle connections: a request that is sent while the server closes the connection fails.
  server.keepAliveTimeout = 70_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

/** Completes requests in flight, then exits. The database needs no closing: it survives `kill -9`. */
function finish(server: Server): void {
  setTimeout(() => process.exit(), 2_000);
  Object.getPrototypeOf(server).close.call(server, () => process.exit());
}

function answer(message: ServeReport): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** LevelDB's wrapper reports the actual reason as the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

function codeOf(error: unknown): EndpointErrorCode {
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  const text = `${message} ${String(cause)}`;
  if (code === 'EADDRINUSE') return 'port-in-use';
  if (/no native build/i.test(text)) return 'no-implementation';
  if (/IO error|LOCK|Corruption/i.test(text)) return 'data-folder';
  return 'did-not-start';
}
