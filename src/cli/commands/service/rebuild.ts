import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { responses } from '../../client/responses.ts';
import { examples } from '../../options/arguments.ts';
import { count } from '../../output/format.ts';
import { ProgressLine } from '../../output/progress-line.ts';

/** `milepost rebuild`: rebuilds data that Milepost derives from the instances, such as counters. */
export function addRebuild(program: Command, cli: Cli): void {
  const rebuild = program
    .command('rebuild')
    .summary('rebuild data that is derived from the instances')
    .description(
      'Restores data that Milepost derives from the instances. `milepost replay --apply` rebuilds the instances ' +
        'themselves.',
    )
    .helpCommand('help [command]', 'show the help for a command');
  addRebuildCounters(rebuild, cli);
}

function addRebuildCounters(rebuild: Command, cli: Cli): void {
  rebuild
    .command('counters')
    .summary('count all instances again')
    .description(
      'Counts all instances again while event processing continues. The current counts remain in ' +
        'use until the new ones are complete. If the command is interrupted, run it again to ' +
        'continue where it stopped.',
    )
    .addHelpText('after', examples('rebuild counters'))
    .action(async (_: unknown, self: Command) => {
      const { json } = self.optsWithGlobals<GlobalOptions>();
      const api = cli.api(self);
      const progress = new ProgressLine(cli.context);
      try {
        for (;;) {
          const answer = await api.post('/counts/rebuild');
          const { step, rows } = answer.read(responses.counterRebuild);
          if (step === 'done') {
            progress.clear();
            if (json) cli.printJson(answer, responses.counterRebuild);
            else cli.print(`counted ${count(rows, 'instance')}`);
            return;
          }
          progress.show(undefined, `${step}, ${count(rows, 'instance')}`);
        }
      } finally {
        progress.clear();
      }
    });
}
