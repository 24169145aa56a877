import type { Command } from 'commander';
import { answers } from '../answers.ts';
import { instancePath } from '../api-client.ts';
import { examples, withInstance } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { localTime } from '../format.ts';
import { readPages, withPaging } from '../paging.ts';
import type { Cell, Column } from '../table.ts';

const columns: readonly Column[] = [
  { header: 'v', align: 'right' },
  { header: 'time' },
  { header: 'type', min: 14 },
  { header: 'source', min: 6 },
  { header: 'outcome' },
  { header: 'status', min: 6 },
  { header: 'reason', min: 10, optional: true },
];

/** `milepost history`: what happened to one instance. */
export function addHistory(program: Command, cli: Cli): void {
  withPaging(withInstance(program.command('history')))
    .summary('show what happened to an instance')
    .description('Shows the events of an instance, oldest first. Times are in the local zone.')
    .addHelpText('after', examples('history activation ATV-123 --all'))
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const path = `${instancePath(model, transaction)}/history`;
      const rows = await readPages(cli, self, path, {}, answers.history, ({ entries }) =>
        entries.map(({ version, event, outcome, status, reason }): Cell[] => [
          String(version),
          localTime(event.time),
          event.type,
          event.source,
          { text: outcome, style: outcome === 'applied' ? 'green' : 'yellow' },
          status,
          reason ?? '',
        ]),
      );
      if (rows) cli.printTable(columns, rows, 'Nothing happened to it yet.');
    });
}
