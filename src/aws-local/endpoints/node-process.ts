import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { accountId, region } from '../account.ts';
import { compileCache } from '../compile-cache.ts';
import { EndpointError, type EndpointErrorCode } from '../server/endpoint-error.ts';
import type { Endpoint } from './endpoint.ts';
import type { ServeOptions, ServeReport } from './serve.ts';
import { exitReason, supervise } from './supervise.ts';

/** The folder of each implementation's program. */
const folders = { kinesalite: 'kinesis', dynalite: 'dynamodb' } as const;

/** The Node.js options of endpoint processes. */
export const nodeOptions = [
  // kinesalite and dynalite use deprecated APIs of Node.js.
  '--no-deprecation',
  // The space for new objects is three times this size, in MB. The default is 16.
  '--max-semi-space-size=8',
];

const environment = {
  // Do not inherit the environment, because its region and account would appear in the ARNs that the endpoint returns.
  AWS_REGION: region,
  AWS_ACCOUNT_ID: accountId,
  // With more than one arena, the GNU C library retains memory that threads have freed.
  MALLOC_ARENA_MAX: '1',
  ...compileCache,
};

/** Runs kinesalite or dynalite in a separate Node.js process. Throws `EndpointError`. */
export async function startNodeProcess(
  implementation: 'kinesalite' | 'dynalite',
  options: ServeOptions,
): Promise<Endpoint> {
  // In the package, the program is a CommonJS bundle with its dependencies.
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'cjs';
  const program = `../${folders[implementation]}/${implementation}-process.${ending}`;
  const entry = new URL(program, import.meta.url);
  const args = [...nodeOptions, fileURLToPath(entry), JSON.stringify(options)];
  const child = spawn(process.execPath, args, {
    env: environment,
    stdio: 'pipe',
    windowsHide: true,
  });
  const { exited, close } = supervise(child);
  // The first line is the report. Each subsequent line announces new records in a shard or writes to a table.
  const lines = createInterface({ input: child.stdout });
  const report = await Promise.race([
    once(lines, 'line').then(([line]) => JSON.parse(String(line)) as ServeReport),
    exited.then((exit): ServeReport => ({ code: 'did-not-start', reason: exitReason(exit) })),
  ]);
  if ('code' in report) {
    await exited;
    throw new EndpointError(report.code, explain(implementation, options, report));
  }
  const url = `http://127.0.0.1:${report.port}`;
  const onPut: Endpoint['onPut'] = (listener) =>
    void lines.on('line', (line) => listener(...(line.split(' ') as [string, string?])));
  return { url, implementation, pid: child.pid, exited, onPut, close };
}

function explain(
  implementation: string,
  { port, path }: ServeOptions,
  { code, reason }: { code: EndpointErrorCode; reason: string },
): string {
  const line = reason.trim().replaceAll(/\s*\n\s*/g, ' ');
  if (code === 'port-in-use') return `port ${port} is already in use`;
  // LevelDB's error message contains the name of the lock file if another process holds the lock.
  if (code === 'data-folder' && /\bLOCK\b/.test(line))
    return `the data folder ${path} is in use by another process`;
  // Without its list of files, a database is as unusable as with a damaged one.
  if (code === 'data-folder' && /^Corruption|MANIFEST-\d+: No such file/.test(line))
    return `the data folder ${path} is damaged (${line}); restore it from a copy, or delete it to start without its data`;
  if (code === 'data-folder') return `the data folder ${path} cannot be used (${line})`;
  if (code === 'no-implementation') return `${implementation} has no build for this platform`;
  return `${implementation} did not start: ${line}`;
}
