import type { Command } from 'commander';
import { didYouMean } from '../../../common/closest-word.ts';

/** `milepost help`: shows the help for a command. Unlike Commander's own `help`, it reports an unknown command. */
export function addHelp(program: Command): void {
  program
    .command('help')
    .summary('show the help for a command')
    .description('Shows the help for a command, such as `status` or `dead-letters show`.')
    .argument('[command-name...]', 'the command; default: all commands')
    .action((names: readonly string[]) => {
      let command = program;
      for (const name of names) {
        const below = command.commands.find((each) => each.name() === name);
        if (!below) {
          const known = command.commands.map((each) => each.name());
          program.error(`error: unknown command '${name}'${didYouMean(name, known)}`);
        }
        command = below;
      }
      command.help();
    });
}
