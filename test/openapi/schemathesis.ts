import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { virtualEnvironment } from '../support/virtual-environment.ts';

/** The seed of the random requests. */
const seed = process.env.MILEPOST_FUZZ_SEED || '20260101';

const everything = [
  ...['--checks', 'all', '--max-examples', '200', '--continue-on-failure', '--seed', seed],
  // The timeout is long because a busy machine can respond slowly.
  ...['--request-timeout', '60', '--generation-database', 'none', '--no-color'],
];

/** The result of a run of Schemathesis. */
export interface Findings {
  readonly status: number;
  /** Everything that Schemathesis printed. */
  readonly output: string;
  /** The numbers of requests and operations, the duration, and the seed, in one line. */
  readonly summary: string;
}

/**
 * Generates valid and invalid requests from the description of an API, sends them to the API, and checks the responses.
 */
export async function fuzzApi(api: string, operations: readonly string[]): Promise<Findings> {
  const wanted = join(import.meta.dirname, 'requirements.txt');
  const programs = await virtualEnvironment('Schemathesis', wanted);
  const folder = await mkdtemp(join(tmpdir(), 'milepost-schemathesis-'));
  try {
    const config = ['--config-file', join(import.meta.dirname, 'schemathesis.toml')];
    const options = [...config, 'run', `${api}/api/openapi.json`, ...everything, ...operations];
    const env = { ...process.env, SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'hooks.py') };
    const child = spawn(join(programs, 'st'), options, { cwd: folder, env });
    const [output, errors, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    const cases = /^ +(\d+ generated.*)$/m.exec(output)?.[1] ?? 'no requests';
    const tested = /Tested: (\d+)/.exec(output)?.[1] ?? '0';
    const seconds = /in ([\d.]+)s =+$/m.exec(output)?.[1];
    const summary = `${cases}, ${tested} operations, ${seconds} s, MILEPOST_FUZZ_SEED=${seed}`;
    return { status, output: output + errors, summary };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
