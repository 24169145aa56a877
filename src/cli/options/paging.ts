import { type Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { Query } from '../client/api-client.ts';
import { maximumPageSize, readAllPages } from '../client/read-all-pages.ts';

/** The options of a command that shows a list. */
interface PagingOptions extends GlobalOptions {
  readonly limit?: number;
  readonly all?: true;
}

/** A page of a list, which may contain the total number of rows. */
const totalled = v.object({ total: v.optional(v.number()) });

/** Adds `--limit` and `--all`. */
export function withPaging(command: Command): Command {
  return command
    .addOption(
      new Option('--limit <n>', 'the number of rows to show: 1 to 100 (default: 25)').argParser(
        limit,
      ),
    )
    .addOption(new Option('--all', 'show all rows').conflicts('limit'));
}

function limit(text: string): number {
  const n = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (n < 1 || n > maximumPageSize)
    throw new InvalidArgumentError('It must be an integer from 1 to 100.');
  return n;
}

/**
 * Reads the first page of the list at `path` or, with `--all`, every page. With `--json`, prints the pages unchanged
 * and returns undefined. Otherwise, returns the rows that `rows` creates from each page.
 */
export async function readPages<Page, Row>(
  cli: Cli,
  command: Command,
  path: string,
  query: Query,
  schema: v.GenericSchema<unknown, Page>,
  rows: (page: Page) => readonly Row[],
): Promise<Row[] | undefined> {
  const { all, limit, json } = command.optsWithGlobals<PagingOptions>();
  const size = all ? maximumPageSize : limit;
  const api = cli.api(command);
  const ask = (cursor?: string) => api.get(path, { ...query, limit: size?.toString(), cursor });
  const found: Row[] = [];
  let more = false;
  let total: number | undefined;
  for await (const page of readAllPages(ask)) {
    if (json) cli.printJson(page.answer, schema);
    else found.push(...rows(page.answer.read(schema)));
    more = page.more;
    total ??= page.answer.read(totalled).total;
    if (!all) break;
  }
  if (json) return undefined;
  const inAll = total === undefined ? 'There are more rows' : `There are ${total} rows in total`;
  if (more) cli.note(`${inAll}; use --all to show all.`);
  return found;
}
