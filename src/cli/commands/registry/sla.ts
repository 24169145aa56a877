import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDate } from '../../../core/time/timestamp.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { modelPath } from '../../client/api-paths.ts';
import { responses } from '../../client/responses.ts';
import { examples, withModel } from '../../options/arguments.ts';
import type { Cell, Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'week', min: 10 },
  { header: 'milestone', min: 8 },
  { header: 'met', align: 'right' },
  { header: 'breached', align: 'right' },
  { header: 'open', align: 'right' },
  { header: 'attainment', align: 'right' },
];

interface SlaOptions extends GlobalOptions {
  readonly from?: string;
  readonly to?: string;
}

/** `milepost sla`: shows how many deadlines of a model were met, by week and milestone. */
export function addSla(program: Command, cli: Cli): void {
  withModel(program.command('sla'))
    .summary('show how many deadlines of a model were met')
    .description(
      'Shows, for each week and milestone, how many deadlines were met and how many were breached. A week is ' +
        'identified by the date of its Monday and contains the deadlines from Monday to Sunday, UTC. Open ' +
        'deadlines belong to milestones that have not been reached yet.',
    )
    .addOption(
      new Option(
        '--from <date>',
        'a date in the first week (default: seven weeks before --to)',
      ).argParser(date),
    )
    .addOption(
      new Option(
        '--to <date>',
        'a date in the last week, at most 52 weeks after the first (default: today)',
      ).argParser(date),
    )
    .addHelpText('after', examples('sla service-request', 'sla service-request --from 2026-10-01'))
    .action(async (model: string, _: unknown, self: Command) => {
      const { from, to, json } = self.optsWithGlobals<SlaOptions>();
      const answer = await cli.api(self).get(`${modelPath(model)}/sla`, { from, to });
      if (json) return cli.printJson(answer, responses.sla);
      const rows = answer
        .read(responses.sla)
        .weeks.flatMap((week) =>
          week.milestones.map(({ label, met, breached, open, attainment }, index): Cell[] => [
            index === 0 ? week.from : '',
            label,
            String(met),
            breached > 0 ? { text: String(breached), style: 'red' } : '0',
            String(open),
            attainment === null ? '–' : percentOf(attainment),
          ]),
        );
      cli.printTable(
        columns,
        rows,
        'No milestone had a deadline in these weeks. To show other weeks, use --from and --to.',
      );
    });
}

/** Formats a share from 0 to 1 as a percentage with one decimal, rounded down. */
const percentOf = (share: number) => `${(Math.floor(share * 1_000) / 10).toFixed(1)}%`;

function date(text: string): string {
  if (isDate(text)) return text;
  throw new InvalidArgumentError('It must be a date, such as 2026-11-23.');
}
