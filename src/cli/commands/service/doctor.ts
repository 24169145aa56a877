import type { Command } from 'commander';
import { shellWord } from '../../../common/shell-word.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { renderExamination } from '../../doctor/doctor-view.ts';
import { type Examination, examine } from '../../doctor/examine.ts';
import { examples } from '../../options/arguments.ts';

/** `milepost doctor`: checks the service and suggests remedies. */
export function addDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .summary('check the service and suggest remedies')
    .description(
      "Checks the connection to the service, and the service's streams, functions, models, clock, lag, parked " +
        'events, dead letters, and, in AWS, alarms. Changes nothing. Below each problem, prints commands that fix it ' +
        'or show its cause. Exits with status 1 if a check fails.',
    )
    .addHelpText(
      'after',
      examples('doctor', 'doctor --api https://API-ID.execute-api.REGION.amazonaws.com'),
    )
    .action(async (_: unknown, self: Command) => {
      const { api, json } = self.optsWithGlobals<GlobalOptions>();
      const found = await examine(cli, self);
      const isGiven = self.getOptionValueSourceWithGlobals('api') === 'cli';
      const examination = isGiven ? withApi(found, api) : found;
      cli.status = examination.checks.some(({ state }) => state === 'failed') ? 1 : 0;
      if (!json) return cli.print(renderExamination(examination, api, cli));
      const checks = examination.checks.map(({ remedy, ...check }) => ({
        ...check,
        remedy: remedy.length > 0 ? remedy.join('\n') : null,
      }));
      cli.printData({ ...examination, checks });
    });
}

/**
 * Adds `--api` to the `milepost` commands in remedies, except `milepost local`, so that the commands use the checked
 * service.
 */
const withApi = ({ version, checks }: Examination, api: string): Examination => ({
  version,
  checks: checks.map((check) => ({
    ...check,
    remedy: check.remedy.map((command) =>
      command.replace(/^milepost (?!local)(.*)/, `milepost $1 --api ${shellWord(api)}`),
    ),
  })),
});
