import { Argument, type Command, CommanderError } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import type { Cli } from '../../cli.ts';
import { ApiError } from '../../client/api-client.ts';
import { joinBashWords } from '../../completion/bash-words.ts';
import { type Completions, completionsOf } from '../../completion/completions.ts';
import { namesOf } from '../../completion/names.ts';
import { type Shell, shells } from '../../completion/script.ts';

/** How long to wait for the API, which may have a cold start, in milliseconds. */
const timeoutMs = 2_000;

/**
 * `milepost complete`: prints completions for the scripts that `milepost completion` prints. Prints nothing on failure.
 */
export function addComplete(program: Command, cli: Cli): void {
  program
    .command('complete', { hidden: true })
    .description(
      'Prints completions for the words typed so far: one word per line, followed by a tab and its ' +
        'description. If the shell completes file or folder names itself, prints only a tab and ' +
        '`files` or `folders`.',
    )
    .configureOutput({ writeErr: () => undefined })
    .addArgument(new Argument('<shell>').choices(shells))
    .argument('[words...]', 'the typed words up to the cursor, after --')
    .action(async (shell: Shell, typed: readonly string[], _: unknown, self: Command) => {
      const { words, kept } = shell === 'bash' ? joinBashWords(typed) : { words: typed, kept: 0 };
      try {
        const found = await completionsOf(program, words, (address) => {
          if (address !== undefined) program.setOptionValue('api', address);
          return namesOf(cli.api(self, { timeoutMs, attempts: 1 }));
        });
        for (const line of linesOf(found, kept)) cli.print(line);
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof CommanderError)) throw error;
      }
    });
}

function linesOf(found: Completions, kept: number): readonly string[] {
  if (typeof found === 'string') return [`\t${found}`];
  return found
    .filter(({ word }) => word === escapeControls(word))
    .map(({ word, about }) => `${word.slice(kept)}\t${escapeControls(about)}`);
}
