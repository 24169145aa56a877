import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { authorizedFetch } from '../src/cli/client/authorized-fetch.ts';
import { runCli } from '../src/cli/program.ts';

const runsService = process.argv[2] === 'local';
// A reader that closes the pipe early, as in `milepost list | head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' && !runsService) process.exit(0);
  process.stderr.write(`error: cannot write to standard output: ${error.message}\n`);
  process.exit(1);
});
// If messages cannot be written, the command continues: its result and its exit status do not depend on them.
process.stderr.on('error', () => undefined);

/**
 * The credential provider, which all requests share because it caches credentials until they expire. A new provider for
 * each request could assume a role or run a program every time.
 */
let provider: ReturnType<typeof createCredentialProvider> | undefined;

const status = await runCli({
  argv: process.argv.slice(2),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  fetch: authorizedFetch(fetch, process.env, async () => {
    provider ??= createCredentialProvider();
    return (await provider)();
  }),
  wait: setTimeout,
  version: packageVersion(),
  async runLocal(environment) {
    const { runLocal } = await import('../src/local/main.ts');
    return runLocal(environment);
  },
  async testConformance(options) {
    const { testConformance } = await import('../src/conformance/main.ts');
    return testConformance(options);
  },
});
// If the process ended without `exit`, Node.js would first remove the signal handlers, and another signal would then
// determine the status. A stopped service has no output left.
if (!runsService || status !== 0) await Promise.all([process.stdout, process.stderr].map(written));
process.exit(status);

/** Waits until everything that was written to a stream has reached its reader, or cannot reach it. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

/** Finds credentials in the same places as the AWS CLI: environment variables, a profile, or a role. */
async function createCredentialProvider() {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  return defaultProvider();
}

function packageVersion(): string {
  const path = findPackageJSON(import.meta.url);
  if (path === undefined) throw new Error('package.json is missing');
  return String(JSON.parse(readFileSync(path, 'utf8')).version);
}
