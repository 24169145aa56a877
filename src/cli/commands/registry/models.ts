import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { responses } from '../../client/responses.ts';
import { examples } from '../../options/arguments.ts';
import type { Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'model', min: 8 },
  { header: 'version', align: 'right' },
  { header: 'title', min: 8 },
  { header: 'statuses', min: 10 },
  { header: 'milestones', min: 10, optional: true },
];

/** `milepost models`: lists the registered models. */
export function addModels(program: Command, cli: Cli): void {
  program
    .command('models')
    .summary('list the registered models')
    .description('Lists the registered models with their versions, statuses, and milestones.')
    .addHelpText('after', examples('models'))
    .action(async (_: unknown, self: Command) => {
      const answer = await cli.api(self).get('/models');
      if (self.optsWithGlobals<GlobalOptions>().json)
        return cli.printJson(answer, responses.models);
      const rows = answer
        .read(responses.models)
        .models.map(({ id, version, title, statuses, milestones }) => [
          id,
          String(version),
          title,
          statuses.join(', '),
          milestones.map((milestone) => milestone.id).join(', '),
        ]);
      cli.printTable(columns, rows, 'No models are registered.');
    });
}
