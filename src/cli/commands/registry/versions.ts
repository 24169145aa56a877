import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { modelPath } from '../../client/api-paths.ts';
import { responses } from '../../client/responses.ts';
import { examples, withModel } from '../../options/arguments.ts';
import { timeWithDistance } from '../../output/format.ts';
import type { Cell, Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'function', align: 'right' },
  { header: 'model', align: 'right' },
  { header: 'registered', min: 10 },
  { header: '' },
];

/** `milepost versions`: which versions of a model's code there are. */
export function addVersions(program: Command, cli: Cli): void {
  withModel(program.command('versions'))
    .summary("list the versions of a model's code")
    .description(
      "Lists the versions of a model's code that can be gone back to, newest first: the number of its " +
        "function's version, and what the model says of its own. Times are in the local zone.",
    )
    .addHelpText('after', examples('versions activation'))
    .action(async (model: string, _: unknown, self: Command) => {
      const answer = await cli.api(self).get(`${modelPath(model)}/versions`);
      if (self.optsWithGlobals<GlobalOptions>().json) return cli.printJson(answer);
      const rows = answer
        .read(responses.versions)
        .versions.map(({ functionVersion, version, registeredAt, current }): Cell[] => [
          functionVersion,
          String(version),
          timeWithDistance(registeredAt),
          current ? { text: 'current', style: 'green' } : '',
        ]);
      cli.printTable(columns, rows, 'No version of its code was published.');
    });
}
