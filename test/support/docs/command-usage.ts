import { type Command, CommanderError } from 'commander';
import { programToRead } from '../../../scripts/docs/program.ts';

/** Returns the usage error that the given arguments cause, or undefined if they are valid. Runs no command. */
export async function usageError(words: readonly string[]): Promise<string | undefined> {
  let said = '';
  const program = programToRead((text) => {
    said += text;
  });
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
