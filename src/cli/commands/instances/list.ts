import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { type ListedInstance, responses } from '../../client/responses.ts';
import { examples, notEmpty, withModelOption } from '../../options/arguments.ts';
import { readPages, withPaging } from '../../options/paging.ts';
import { durationText, percent, relativeTime } from '../../output/format.ts';
import type { Cell, Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'model', min: 8 },
  // Never truncated, because users copy the id into the next command.
  { header: 'transaction' },
  { header: 'status', min: 6 },
  { header: 'progress', align: 'right', optional: true },
  { header: 'parked', align: 'right', optional: true },
  { header: 'risk', min: 7, optional: true },
  { header: 'updated' },
];

interface ListOptions extends GlobalOptions {
  readonly model?: string;
  readonly status?: string;
  readonly q?: string;
  readonly key?: string;
  readonly risk?: 'at-risk' | 'late';
  readonly late?: true;
  readonly parked?: true;
  readonly order?: 'newest' | 'oldest';
}

/** `milepost list`: lists instances, one per line. */
export function addList(program: Command, cli: Cli): void {
  withPaging(withModelOption(program.command('list'), 'only instances of this model'))
    .summary('list instances')
    .description('Lists instances, by default the most recently changed first.')
    .option('--status <status>', 'only instances with this status', notEmpty)
    .option('--q <text>', 'only instances whose transaction id starts with this text', notEmpty)
    .option('--key <key>', 'only instances with this business key, such as customer:42', notEmpty)
    .addOption(
      new Option(
        '--risk <risk>',
        'late: only instances that are late; at-risk: only instances that are at risk but not late',
      ).choices(['at-risk', 'late']),
    )
    .addOption(new Option('--late', 'short for --risk late').conflicts('risk'))
    .option('--parked', 'only instances with parked events')
    .addOption(
      new Option(
        '--order <order>',
        'newest: most recently changed first; oldest: longest unchanged first or, with --risk, ' +
          '--late, or --parked, longest at risk, late, or parked first',
      ).choices(['newest', 'oldest']),
    )
    .addHelpText(
      'after',
      examples(
        'list --model activation --status Suspended',
        'list --late',
        'list --risk at-risk',
        'list --late --order oldest',
        'list --parked --all --json',
      ),
    )
    .action(async (_model: unknown, _: unknown, self: Command) => {
      const { late, parked, model, status, q, key, risk, order } =
        self.optsWithGlobals<ListOptions>();
      const filters = { model, status, q, key, risk, order };
      const query = { ...filters, late: late && 'true', parked: parked && 'true' };
      const rows = await readPages(cli, self, '/instances', query, responses.instances, (page) =>
        page.instances.map((instance): Cell[] => [
          instance.model,
          instance.transaction,
          instance.status,
          instance.progress === null ? '' : percent(instance.progress),
          instance.parked === 0 ? '' : { text: String(instance.parked), style: 'red' },
          riskCell(instance.risk),
          relativeTime(instance.updatedAt),
        ]),
      );
      if (rows) cli.printTable(columns, rows, 'No matching instances.');
    });
}

/** Formats the late milestone and how late it is, or the milestone at risk and when the risk began. */
function riskCell(risk: ListedInstance['risk']): Cell {
  if (!risk) return '';
  const { state, milestone, since, lateBy } = risk;
  const what = milestone ? `: ${milestone}` : '';
  return state === 'late'
    ? { text: `late${what}, ${durationText(lateBy!)}`, style: 'red' }
    : { text: `at risk${what}, began ${relativeTime(since)}`, style: 'yellow' };
}
