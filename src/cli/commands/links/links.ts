import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { instanceLinksPath } from '../../client/api-paths.ts';
import { responses } from '../../client/responses.ts';
import { examples, withInstance } from '../../options/arguments.ts';
import { readPages, withPaging } from '../../options/paging.ts';
import { timeWithDistance } from '../../output/format.ts';
import type { Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'id' },
  { header: 'made', min: 10 },
  { header: 'expires', min: 10 },
];

/** `milepost links`: the links to an instance's status page. */
export function addLinks(program: Command, cli: Cli): void {
  withPaging(withInstance(program.command('links')))
    .summary("list the links to an instance's status page")
    .description(
      "Lists the links to an instance's status page that are good, newest first. The links " +
        'themselves are kept nowhere: an id revokes its link, and opens nothing. Times are in the local zone.',
    )
    .addHelpText('after', examples('links service-request SR-1'))
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const path = instanceLinksPath(model, transaction);
      const rows = await readPages(cli, self, path, {}, responses.links, ({ links }) =>
        links.map(({ id, createdAt, expiresAt }) => [
          id,
          timeWithDistance(createdAt),
          timeWithDistance(expiresAt),
        ]),
      );
      if (rows) cli.printTable(columns, rows, 'There are no links to its page.');
    });
}
