import { Argument, type Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { completionScript, type Shell, shells } from '../../completion/script.ts';
import { examples } from '../../options/arguments.ts';

/** `milepost completion`: lets a shell complete commands, options and names. */
export function addCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .summary('print a script that lets a shell complete milepost')
    .description(
      'Prints a script that lets a shell complete commands, options, models, transactions, types ' +
        'of events and statuses; its first line says where it goes.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      examples(
        'completion bash >> ~/.bashrc',
        'completion zsh > ~/.zfunc/_milepost',
        'completion fish > ~/.config/fish/completions/milepost.fish',
      ),
    )
    .action(async (shell: Shell) => {
      cli.print((await completionScript(shell)).trimEnd());
    });
}
