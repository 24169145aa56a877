import { Readable } from 'node:stream';
import { type Command, CommanderError } from 'commander';
import { Cli } from '../../src/cli/cli.ts';
import { buildProgram } from '../../src/cli/program.ts';

/** What the command line says to words that it does not take; undefined: it takes them. Runs nothing. */
export async function usageError(words: readonly string[]): Promise<string | undefined> {
  let said = '';
  const cli = new Cli({
    argv: words,
    env: {},
    stdin: Readable.from([]),
    stdout: { write: () => undefined },
    stderr: { write: (text) => (said += text) },
    fetch: () => Promise.reject(new Error('nothing is asked here')),
    wait: () => Promise.resolve(),
    version: '0.0.0',
    runLocal: () => Promise.resolve(0),

    testConformance: () => Promise.reject(new Error('not in this test')),
  });
  const program = buildProgram(cli);
  doNothing(program);
  try {
    await program.parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? undefined : said.trim() || error.message;
  }
}

function doNothing(program: Command): void {
  for (const command of program.commands) {
    command.action(() => undefined);
    doNothing(command);
  }
}
