import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../test/support/free-port.ts';
import { findProgram } from '../processes/find-program.ts';
import { type Program, startProgram, untilReady } from '../processes/processes.ts';

const run = promisify(execFile);

/** A user account of this machine. */
interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the reason why PostgreSQL cannot run on this machine, or undefined if it can. */
export async function missingPostgres(): Promise<string | undefined> {
  if ((await findProgram('initdb')) === undefined)
    return 'PostgreSQL is not installed (Debian: apt-get install postgresql)';
  if (process.getuid?.() === 0 && (await postgresUser()) === undefined)
    return 'PostgreSQL does not run as root, and the user postgres does not exist';
  return undefined;
}

/** Starts a new database cluster with default settings in the folder. */
export async function startPostgres(folder: string): Promise<Program & { readonly url: string }> {
  const user = process.getuid?.() === 0 ? await postgresUser() : undefined;
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const data = join(folder, 'postgres');
  const initdb = (await findProgram('initdb'))!;
  await run(
    initdb,
    ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--no-locale'],
    options,
  );
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
  };
  const server = await startProgram(
    (await findProgram('postgres'))!,
    ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    // SIGINT requests PostgreSQL's "fast" shutdown, which does not wait for clients.
    { ...options, endWith: 'SIGINT' },
  );
  await untilReady(server, async () => server.lastWords().includes('ready to accept connections'));
  return { ...server, url: `postgresql://bench@127.0.0.1:${port}/postgres` };
}

/** Returns the user that Debian's PostgreSQL package creates, or undefined if the user does not exist. */
async function postgresUser(): Promise<User | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (which) => Number((await run('id', [which, 'postgres'])).stdout)),
    );
    return { uid: uid!, gid: gid! };
  } catch {
    return undefined;
  }
}
