import type { Command } from 'commander';
import { maximumSearchResults } from '../../../common/search-limit.ts';
import { shellWord } from '../../../common/shell-word.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { readAllPages } from '../../client/read-all-pages.ts';
import { responses } from '../../client/responses.ts';
import { examples, notEmpty } from '../../options/arguments.ts';
import { relativeTime } from '../../output/format.ts';
import type { Cell, Column } from '../../output/table.ts';

const columns: readonly Column[] = [
  { header: 'kind' },
  { header: 'model', min: 8, optional: true },
  // Never truncated, because users copy the id into the next command.
  { header: 'transaction', optional: true },
  { header: 'status', min: 6, optional: true },
  { header: 'id', optional: true },
  { header: 'reason', min: 48, optional: true },
  { header: 'when' },
];

interface SearchOptions extends GlobalOptions {
  readonly event?: true;
}

/** `milepost search`: finds instances, dead letters, and events by their ids and business keys. */
export function addSearch(program: Command, cli: Cli): void {
  program
    .command('search')
    .argument(
      '<text>',
      'a transaction id prefix, a business key such as customer:42, or the id of a dead letter or ' +
        'event',
      notEmpty,
    )
    .summary('find instances, dead letters, and events')
    .description(
      'Finds instances by transaction id prefix or business key. Finds dead letters by id and, ' +
        'among the newest 100, by event id or transaction id. Event ids are not indexed, so with ' +
        '--event, the command reads the histories of all instances until it finds the event, which ' +
        'can take minutes.',
    )
    .option('--event', 'find the instance whose history contains the event with this id')
    .addHelpText(
      'after',
      examples('search ATV-12', 'search customer:42', 'search --event ATV-123-2'),
    )
    .action(async (text: string, _: unknown, self: Command) => {
      const { event } = self.optsWithGlobals<SearchOptions>();
      const rows = event ? await findEvent(cli, self, text) : await search(cli, self, text);
      const nothing = 'Nothing found. Ids and business keys are case-sensitive.';
      const older =
        ' Of the dead letters, only the newest 100 are searched by event or transaction id; to list all: milepost dead-letters --all';
      if (rows) cli.printTable(columns, rows, event ? nothing : `${nothing}${older}`);
    });
}

async function search(cli: Cli, command: Command, text: string): Promise<Cell[][] | undefined> {
  const answer = await cli.api(command).get('/search', { q: text });
  if (command.optsWithGlobals<GlobalOptions>().json) {
    cli.printJson(answer, responses.search);
    return undefined;
  }
  const { instances, byKey, deadLetters } = answer.read(responses.search);
  const row = (kind: string, each: (typeof instances)[number]): Cell[] => [
    kind,
    each.model,
    each.transaction,
    each.status,
    '',
    '',
    relativeTime(each.updatedAt),
  ];
  for (const [option, found] of [
    ['q', instances],
    ['key', byKey],
  ] as const)
    if (found.length === maximumSearchResults)
      cli.note(
        `There may be more than ${maximumSearchResults} instances; to list all: milepost list --${option} ${shellWord(text)} --all`,
      );
  return [
    ...instances.map((each) => row('instance', each)),
    ...byKey.map((each) => row('business key', each)),
    ...deadLetters.map(({ id, reason, at, modelId, transactionId, parked }): Cell[] => [
      parked ? 'parked event' : 'dead letter',
      modelId ?? '',
      transactionId ?? '',
      '',
      id,
      reason,
      relativeTime(at),
    ]),
  ];
}

/** Searches the histories of all instances, one part per request, until a history contains the event. */
async function findEvent(cli: Cli, command: Command, id: string): Promise<Cell[][] | undefined> {
  const api = cli.api(command);
  const { json } = command.optsWithGlobals<GlobalOptions>();
  for await (const { answer, more } of readAllPages((cursor) =>
    api.get('/search/events', { id, cursor }),
  )) {
    const { events } = answer.read(responses.foundEvents);
    if (events.length === 0 && more) continue;
    if (json) cli.printJson(answer, responses.foundEvents);
    else
      return events.map(({ model, transaction, version, type, time }): Cell[] => [
        'event',
        model,
        transaction,
        '',
        `${type} in version ${version}`,
        '',
        relativeTime(time),
      ]);
    return undefined;
  }
  return [];
}
