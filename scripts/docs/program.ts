import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { Cli } from '../../src/cli/cli.ts';
import { buildProgram } from '../../src/cli/program.ts';

const notHere = () =>
  Promise.reject(new Error('the commands cannot run while the documentation is generated'));

/**
 * Builds the Milepost CLI with all its commands and options so that their descriptions can be read. Its commands
 * cannot run.
 */
export function programToRead(onError: (text: string) => void = () => undefined): Command {
  const cli = new Cli({
    argv: [],
    env: {},
    stdin: Readable.from([]),
    stdout: { write: () => undefined },
    stderr: { write: onError },
    fetch: notHere,
    wait: () => Promise.resolve(),
    version: '',
    runLocal: notHere,
    testConformance: notHere,
  });
  return buildProgram(cli);
}
