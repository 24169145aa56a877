import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { instancePath } from '../../client/api-paths.ts';
import { responses } from '../../client/responses.ts';
import { examples, withInstance } from '../../options/arguments.ts';
import { readPages, withPaging } from '../../options/paging.ts';
import { localTime } from '../../output/format.ts';
import type { Cell, Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'v', align: 'right' },
  { header: 'time' },
  { header: 'type', min: 14 },
  { header: 'source', min: 6 },
  { header: 'outcome' },
  { header: 'status', min: 6 },
  { header: 'reason', min: 10, optional: true },
  { header: 'model', optional: true },
];

interface HistoryOptions extends GlobalOptions {
  readonly order?: 'oldest' | 'newest';
}

/** `milepost history`: shows the history of an instance. */
export function addHistory(program: Command, cli: Cli): void {
  withPaging(withInstance(program.command('history')))
    .summary('show the history of an instance')
    .description(
      "Shows an instance's events with their outcomes, oldest first. Column v shows the " +
        "instance's version. Times are in the local time zone. If the model version changed, the " +
        'model column shows the new version in the first row that has it.',
    )
    .addOption(
      new Option('--order <order>', 'the order of the events (default: oldest)').choices([
        'oldest',
        'newest',
      ]),
    )
    .addHelpText(
      'after',
      examples(
        'history activation ATV-123 --all',
        'history activation ATV-123 --order newest --limit 10',
      ),
    )
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const path = `${instancePath(model, transaction)}/history`;
      const { order } = self.optsWithGlobals<HistoryOptions>();
      const entries = await readPages(
        cli,
        self,
        path,
        { order },
        responses.history,
        (page) => page.entries,
      );
      if (!entries) return;
      const rows = entries.map(({ version, event, outcome, status, reason }, index): Cell[] => [
        String(version),
        localTime(event.time),
        event.type,
        event.source,
        { text: outcome, style: outcome === 'applied' ? 'green' : 'yellow' },
        status,
        reason ?? '',
        modelVersion(entries, index),
      ]);
      cli.printTable(columns, rows, 'No events yet.');
    });
}

/**
 * Returns the model version if an entry is the first entry with that version, or an empty string for all other entries.
 * Returns only empty strings if all entries have the same version.
 */
function modelVersion(entries: readonly Versioned[], index: number): string {
  const version = entries[index]?.modelVersion;
  const first = entries[0]?.modelVersion;
  const begins =
    index === 0
      ? entries.some((entry) => entry.modelVersion !== first)
      : version !== entries[index - 1]?.modelVersion;
  return begins && version ? `v${version}` : '';
}

interface Versioned {
  readonly modelVersion?: number | null;
}
