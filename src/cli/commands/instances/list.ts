import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { responses } from '../../client/responses.ts';
import { examples } from '../../options/arguments.ts';
import { readPages, withPaging } from '../../options/paging.ts';
import { percent, relativeTime } from '../../output/format.ts';
import type { Cell, Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'model', min: 8 },
  { header: 'transaction', min: 12 },
  { header: 'status', min: 6 },
  { header: 'progress', align: 'right', optional: true },
  { header: 'parked', align: 'right', optional: true },
  { header: 'updated' },
];

interface ListOptions extends GlobalOptions {
  readonly model?: string;
  readonly status?: string;
  readonly q?: string;
  readonly key?: string;
  readonly late?: true;
  readonly parked?: true;
}

/** `milepost list`: lists instances, one per line. */
export function addList(program: Command, cli: Cli): void {
  withPaging(program.command('list'))
    .summary('list instances')
    .description('Lists instances, newest change first.')
    .option('--model <model>', 'only instances of this model')
    .option('--status <status>', 'only instances with this status')
    .option('--q <text>', 'only instances whose transaction id starts with this text')
    .option('--key <key>', 'only instances with this business key, such as customer:42')
    .option('--late', 'only instances with a late milestone')
    .option('--parked', 'only instances with parked events')
    .addHelpText(
      'after',
      examples(
        'list --model activation --status Suspended',
        'list --late',
        'list --parked --all --json',
      ),
    )
    .action(async (_: unknown, self: Command) => {
      const { model, status, q, key, late, parked } = self.optsWithGlobals<ListOptions>();
      const query = { model, status, q, key, late: late && 'true', parked: parked && 'true' };
      const rows = await readPages(cli, self, '/instances', query, responses.instances, (page) =>
        page.instances.map((instance): Cell[] => [
          instance.model,
          instance.transaction,
          instance.status,
          instance.progress === null ? '' : percent(instance.progress),
          instance.parked === 0 ? '' : { text: String(instance.parked), style: 'red' },
          relativeTime(instance.updatedAt),
        ]),
      );
      if (rows) cli.printTable(columns, rows, 'No matching instances.');
    });
}
