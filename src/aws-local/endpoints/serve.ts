import type { Server } from 'node:http';
import { acceptHttp2 } from '../server/accept-http2.ts';
import type { EndpointErrorCode } from '../server/endpoint-error.ts';
import type { ListenHost } from '../server/listen.ts';
import { refuseForeignPages } from '../server/trusted-clients.ts';

/** What the parent hands to an endpoint's process, as JSON in its only argument. */
export interface ServeOptions {
  readonly host: ListenHost;
  readonly port: number;
  /** The folder of the database; `null` for one in memory. */
  readonly path: string | null;
}

/** What the process answers, as one line: the port that it listens on, or why it does not. */
export type ServeReport =
  | { readonly port: number }
  | { readonly code: EndpointErrorCode; readonly reason: string };

/**
 * The body of an endpoint's process: serves until its standard input ends. That is a
 * pipe from the parent, so it also ends when the parent is killed.
 */
export async function serve(open: (path: string | null) => Promise<Server>): Promise<void> {
  // Ctrl-C reaches the whole process group; stopping in order is the parent's business.
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
  // These packages throw when a client goes away in the middle of a request, which would end the
  // process. Their own listener is there before this one runs.
  server.on('request', (request) => {
    request.removeAllListeners('error');
    request.on('error', () => {});
  });
  // Longer than clients keep idle connections: a request sent just as the server hangs up fails.
  server.keepAliveTimeout = 70_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

/** Answers what is under way, then ends. The database needs no closing: it survives kill -9. */
function finish(server: Server): void {
  setTimeout(() => process.exit(), 2_000);
  Object.getPrototypeOf(server).close.call(server, () => process.exit());
}

function answer(message: ServeReport): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** LevelDB's wrapper says that it failed, and keeps why in its cause. */
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
