import { Argument, type Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { completionScript, type Shell, shells } from '../../completion/script.ts';
import { examples } from '../../options/arguments.ts';

/** `milepost completion`: prints a shell completion script. */
export function addCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .summary('print a shell completion script')
    .description(
      'Prints a script that enables a shell to complete commands, options, and names in the ' +
        'service, such as models, transactions, event types, and statuses. A comment at the start of ' +
        'the script explains how to install it.',
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
