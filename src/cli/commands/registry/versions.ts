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

/** `milepost versions`: lists the versions of a model's code. */
export function addVersions(program: Command, cli: Cli): void {
  withModel(program.command('versions'))
    .summary("list the versions of a model's code")
    .description(
      "Lists the versions of a model's code that a rollback can activate, newest first, with their " +
        'function versions and model versions. Times are in the local time zone.',
    )
    .addHelpText('after', examples('versions activation'))
    .action(async (model: string, _: unknown, self: Command) => {
      const answer = await cli.api(self).get(`${modelPath(model)}/versions`);
      if (self.optsWithGlobals<GlobalOptions>().json)
        return cli.printJson(answer, responses.versions);
      const rows = answer
        .read(responses.versions)
        .versions.map(({ functionVersion, version, registeredAt, current }): Cell[] => [
          functionVersion,
          String(version),
          timeWithDistance(registeredAt),
          current ? { text: 'current', style: 'green' } : '',
        ]);
      cli.printTable(columns, rows, 'The model has no published versions.');
    });
}
