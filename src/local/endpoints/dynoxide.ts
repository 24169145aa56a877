import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Endpoint } from './endpoint.ts';
import { EndpointError } from './errors.ts';
import { supervise } from './supervise.ts';

/**
 * A native program does not notice that its parent was killed. This shell does: its standard input
 * is a pipe from the parent, which ends with the parent, and then it takes the program along.
 */
const TIED_TO_PARENT = `
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
{ read -r _ <&3; kill -9 $program; } >/dev/null 2>&1 &
watcher=$!
exec 3<&-
echo $program
wait $program 2>/dev/null
status=$?
kill $watcher 2>/dev/null
exit $status
`;

/** The program for this platform, or null where its package is not installed. */
export function findDynoxide(): string | null {
  if (process.platform === 'win32') return null; // no shell to tie it to this process with
  try {
    const name = `@dynoxide/${process.platform}-${process.arch}/package.json`;
    return join(dirname(createRequire(import.meta.url).resolve(name)), 'dynoxide');
  } catch {
    return null;
  }
}

/** Runs dynoxide on the database file `path`, or in memory. Throws `EndpointError`. */
export async function startDynoxide(
  program: string,
  options: { readonly port: number; readonly path: string | null },
): Promise<Endpoint> {
  const port = await availablePort(options.port);
  const database = options.path === null ? [] : ['--db-path', options.path];
  const args = ['-c', TIED_TO_PARENT, 'sh', program, 'serve', '--port', `${port}`, ...database];
  const child = spawn('/bin/sh', args, {
    // A session of its own: Ctrl-C reaches a whole process group, and dynoxide ends on it.
    detached: true,
    env: {},
    stdio: 'pipe',
  });
  const { exited, close } = supervise(child);
  const listening = new Promise<null>((resolve) => {
    child.stderr.on('data', (text: string) => /listening on/i.test(text) && resolve(null));
  });
  const pid = once(child.stdout.setEncoding('utf8'), 'data').then(([line]) => Number(line));
  const exit = await Promise.race([listening, exited]);
  if (exit !== null) {
    const reason = exit.lastWords.trim();
    if (/unable to open|not a valid SQLite|read-?only/i.test(reason)) {
      throw new EndpointError('data-folder', `Cannot use ${options.path} (${reason})`);
    }
    throw new EndpointError('did-not-start', `dynoxide did not start: ${reason}`);
  }
  const url = `http://127.0.0.1:${port}`;
  return { url, implementation: 'dynoxide', pid: await pid, exited, close };
}

/** It does not say which port it took for 0, and names a taken one only in words: look first. */
async function availablePort(port: number): Promise<number> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
      throw new EndpointError('did-not-start', `Cannot listen on port ${port}`, { cause });
    }
    throw new EndpointError('port-in-use', `Port ${port} is already in use`, { cause });
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : port;
}
