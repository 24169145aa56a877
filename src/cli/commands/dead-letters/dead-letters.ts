import { type Command, Option } from 'commander';
import { hasReason } from '../../../core/event/dead-letter-reason.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { type DeadLetterResponse, responses } from '../../client/responses.ts';
import { examples, notEmpty } from '../../options/arguments.ts';
import { readPages, withPaging } from '../../options/paging.ts';
import { escapeBytes } from '../../output/escape-bytes.ts';
import { relativeTime } from '../../output/format.ts';
import type { Column } from '../../output/table.ts';
import { addDeadLetterReasons } from './dead-letter-reasons.ts';
import { addDeleteDeadLetters } from './delete-dead-letters.ts';
import { addShowDeadLetter, deadLetterFacts } from './show-dead-letter.ts';

const columns: readonly Column[] = [
  { header: 'id' },
  { header: 'when' },
  { header: 'model', min: 5, optional: true },
  { header: 'transaction', min: 8, optional: true },
  { header: 'event', min: 5, optional: true },
  // Wide enough to show where the reasons for a model's faults differ: after the model's id and the event type.
  { header: 'reason', min: 48 },
];

interface DeadLettersOptions extends GlobalOptions {
  readonly raw?: true;
  readonly reason?: string;
}

/** `milepost dead-letters`: lists rejected records and parked events. */
export function addDeadLetters(program: Command, cli: Cli): void {
  const command = program
    .command('dead-letters')
    .summary('list, count, show, or delete dead letters')
    .description(
      'Lists dead letters with their reasons, newest first. A dead letter is either a parked event ' +
        'or a rejected record, such as one that is not a valid event or belongs to no model.',
    )
    .addOption(
      // With this option, the command reads the whole list because a single page may contain no match.
      new Option(
        '--reason <text>',
        'show all dead letters with exactly this reason, in full or as `dead-letters reasons` prints it',
      )
        .argParser(notEmpty)
        .implies({ all: true })
        .conflicts('limit'),
    );
  withPaging(command)
    .option('--raw', 'show the content of each record, with binary data as \\x..')
    // Commander assigns an option of the list to the list even if the option follows the name of a subcommand. Reject an
    // option that the subcommand does not have. Otherwise, `dead-letters delete ID --all` would ignore `--all` and delete
    // one dead letter.
    .hook('preSubcommand', (list, command) => {
      const given = Object.keys(list.opts()).filter(
        (option) => list.getOptionValueSource(option) !== 'implied',
      );
      const own = new Set(command.options.map((option) => option.attributeName()));
      const option = given.find((each) => !own.has(each));
      if (option !== undefined) command.error(`error: unknown option '--${option}'`);
    })
    .addHelpText(
      'after',
      examples(
        'dead-letters',
        'dead-letters --raw --limit 1',
        "dead-letters --reason 'no such model: parcel'",
        'dead-letters show 0mjtfpfk0-dfd8744da9d81190',
      ),
    )
    .action(async (_: unknown, self: Command) => {
      const { raw, reason, json } = self.optsWithGlobals<DeadLettersOptions>();
      if (reason !== undefined && json)
        self.error(
          "error: --reason cannot be used with --json, because --json prints the API's JSON unfiltered",
        );
      const letters = await readPages(
        cli,
        self,
        '/dead-letters',
        {},
        responses.deadLetters,
        ({ deadLetters }) =>
          reason === undefined
            ? deadLetters
            : deadLetters.filter((letter) => hasReason(letter, reason)),
      );
      if (letters === undefined) return;
      if (raw && letters.length > 0) cli.print(letters.map((l) => withRaw(l, cli)).join('\n\n'));
      else
        cli.printTable(
          columns,
          letters.map(cells),
          reason === undefined
            ? 'There are no dead letters.'
            : 'There are no dead letters with this reason.',
        );
    });
  addShowDeadLetter(command, cli);
  addDeadLetterReasons(command, cli);
  addDeleteDeadLetters(command, cli);
}

function cells({ id, at, modelId, transactionId, eventId, reason }: DeadLetterResponse) {
  return [id, relativeTime(at), modelId ?? '', transactionId ?? '', eventId ?? '', reason];
}

function withRaw(letter: DeadLetterResponse, cli: Cli): string {
  return `${deadLetterFacts(letter, cli)}\n${escapeBytes(Buffer.from(letter.raw, 'base64'))}`;
}
