import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { responses } from '../../client/responses.ts';
import { examples, withModel } from '../../options/arguments.ts';
import { readPages, withPaging } from '../../options/paging.ts';
import type { Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'value', min: 8 },
  { header: 'instances', align: 'right' },
];

interface CountsOptions extends GlobalOptions {
  readonly by: string;
}

/** `milepost counts`: counts the instances of a model. */
export function addCounts(program: Command, cli: Cli): void {
  withPaging(withModel(program.command('counts')))
    .summary('count the instances of a model')
    .description(
      'Counts the instances of a model by status, by start date, or by a business key. The counts are exact ' +
        'but lag by a few seconds. Counts by status always include every status, so --limit has no effect on them.',
    )
    .addOption(
      new Option(
        '--by <grouping>',
        'status, day, or key:NAME, where NAME is the name of a business key',
      )
        .argParser(grouping)
        .default('status'),
    )
    .addHelpText(
      'after',
      examples(
        'counts activation',
        'counts activation --by day',
        'counts orders --by key:customer --all',
      ),
    )
    .action(async (model: string, _: unknown, self: Command) => {
      const { by } = self.optsWithGlobals<CountsOptions>();
      const rows = await readPages(cli, self, '/counts', { model, by }, responses.counts, (page) =>
        page.counts.map(({ value, instances }) => [value, String(instances)]),
      );
      if (rows) cli.printTable(columns, rows, nothing(model, by));
    });
}

function nothing(model: string, by: string): string {
  const [kind, key] = by.split(':');
  return kind === 'key'
    ? `No instance of ${model} has the business key ${key}.`
    : `There are no instances of ${model}.`;
}

function grouping(text: string): string {
  if (/^(?:status|day|key:[a-z][a-zA-Z0-9_-]{0,31})$/.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be status, day, or key:NAME with the name of a business key, such as key:customer.',
  );
}
