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
  { header: 'created', min: 10 },
  { header: 'expires', min: 10 },
];

/** `milepost links`: lists the customer links of an instance. */
export function addLinks(program: Command, cli: Cli): void {
  withPaging(withInstance(program.command('links')))
    .summary("list an instance's customer links")
    .description(
      "Lists the valid links to an instance's status page, newest first. The URLs are not " +
        'shown, because they are not stored. Use an id to revoke a link. Times are in the local time zone.',
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
      if (rows) cli.printTable(columns, rows, 'The instance has no valid links.');
    });
}
