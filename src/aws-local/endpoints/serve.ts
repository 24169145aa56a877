import type { Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { acceptHttp2 } from '../server/accept-http2.ts';
import type { EndpointErrorCode } from '../server/endpoint-error.ts';
import type { ListenHost } from '../server/listen.ts';
import { useOriginForm } from '../server/origin-form.ts';
import { rejectForeignPages } from '../server/trusted-clients.ts';
import type { Maintenance } from './endpoint.ts';

/** The options that the parent passes to an endpoint's process as a single JSON argument. */
export interface ServeOptions {
  readonly host: ListenHost;
  readonly port: number;
  /** The folder of the database, or `null` to keep it in memory. */
  readonly path: string | null;
  readonly maintenance?: Maintenance;
}

/**
 * The report that an endpoint's process prints as one line of JSON: the port on which it listens, or the reason why it
 * failed to start.
 */
export type ServeReport =
  | { readonly port: number }
  | { readonly code: EndpointErrorCode; readonly reason: string };

/**
 * Makes V8 collect garbage when the heap has doubled. By default, V8 lets a small heap grow fourfold, so most of an
 * endpoint's memory would be garbage. Unlike `--max-old-space-size`, this option sets no limit that a large request
 * could exceed.
 */
const collectEarly = '--heap-growing-percent=100';

/**
 * The main function of an endpoint's process. Serves until standard input ends. Standard input is a pipe from the
 * parent, so the process also exits when the parent is killed.
 */
export async function serve(
  open: (path: string | null, maintenance?: Maintenance) => Promise<Server>,
): Promise<void> {
  setFlagsFromString(collectEarly);
  // Ignore signals: Ctrl+C reaches the whole process group, but the parent coordinates the shutdown.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.stdin.resume().once('close', () => process.exit());
  process.once('uncaughtException', exitWith);
  const { host, port, path, maintenance } = JSON.parse(process.argv[2] ?? '') as ServeOptions;
  try {
    // kinesalite and dynalite throw for some targets in absolute form. The uncaught error would crash the process.
    const server = acceptHttp2(rejectForeignPages(useOriginForm(await open(path, maintenance))));
    await listen(server, port, host);
    process.stdin.removeAllListeners('close').once('close', () => finish(server));
    const address = server.address();
    report({ port: typeof address === 'object' && address !== null ? address.port : port });
  } catch (error) {
    report({ code: codeOf(error), reason: reasonOf(error) });
    process.stdin.destroy();
  }
}

/**
 * Returns true if the database could not write, for example because the disk is full. The process must then exit:
 * LevelDB's log ends with an incomplete record, and after a restart LevelDB would ignore any records that were appended
 * after it.
 *
 * @see https://github.com/google/leveldb/blob/main/doc/log_format.md
 */
export const isWriteFailure = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith(writeFailurePrefix);

const writeFailurePrefix = 'IO error: ';

function exitWith(error: Error): void {
  const reason = isWriteFailure(error)
    ? `cannot write data: ${reasonOf(error).slice(writeFailurePrefix.length)}`
    : error.stack;
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

async function listen(server: Server, port: number, host: ListenHost): Promise<void> {
  // Without this listener, kinesalite and dynalite crash when a client disconnects during a request. The listeners of
  // kinesalite and dynalite run before this listener.
  server.on('request', (request) => {
    request.removeAllListeners('error');
    request.on('error', () => {});
  });
  // Keep idle connections longer than clients do, because a request fails if the server closes the connection at the
  // same time.
  server.keepAliveTimeout = 70_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

/**
 * Completes requests in flight, for up to two seconds, and then exits. There is no need to close the database, because
 * it survives `kill -9`.
 */
function finish(server: Server): void {
  setTimeout(() => process.exit(), 2_000);
  Object.getPrototypeOf(server).close.call(server, () => process.exit());
}

function report(message: ServeReport): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Returns the message of an error, or of its cause, which contains the reason if LevelDB fails. */
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
