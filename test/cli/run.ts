import { Readable } from 'node:stream';
import type { CliContext } from '../../src/cli/context.ts';
import { runCli } from '../../src/cli/program.ts';

/** The exit status and the output of a CLI command. */
export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The requested waits, in milliseconds. */
  readonly waits: readonly number[];
}

interface Around extends Partial<CliContext> {
  /** Makes standard output and standard error terminals with the given number of columns. */
  readonly columns?: number;
}

/** Runs the CLI in this process. */
export async function run(argv: readonly string[], around: Around = {}): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  const waits: number[] = [];
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => (written[name] += text),
    ...(around.columns && { isTTY: true, columns: around.columns, getColorDepth: () => 8 }),
  });
  const status = await runCli({
    argv,
    env: {},
    stdin: Readable.from([]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    fetch,
    wait: (milliseconds) => Promise.resolve(waits.push(milliseconds)),
    version: '1.2.3',
    runLocal: () => Promise.reject(new Error('not in this test')),
    testConformance: () => Promise.reject(new Error('not in this test')),
    ...around,
  });
  return { status, ...written, waits };
}
