import { type Command, InvalidArgumentError, Option } from 'commander';
import { isJson } from '../../../common/is-json.ts';
import type { Cli } from '../../cli.ts';
import { examples, notEmpty } from '../../options/arguments.ts';
import { secondsBetween } from '../../options/numbers.ts';
import { putEvent } from './put-event.ts';
import { putFile } from './put-file.ts';
import type { PutOptions } from './put-options.ts';

const attributeOptions = ['id', 'source', 'time', 'replyto', 'data'] as const;

/** `milepost put`: sends one event from options, or the events in a file. */
export function addPut(program: Command, cli: Cli): void {
  program
    .command('put')
    .summary('send an event, or a file of events')
    .description(
      'Puts an event on the stream or, with --file, every CloudEvent in a file: NDJSON (one event per line) or ' +
        'a JSON array. Sends the events unchanged and in order. Sends each event within half a second of its ' +
        'arrival on standard input, even if no more events follow. Reports invalid events with their line ' +
        'numbers and sends the others. With --wait, prints the outcome of each event: applied, duplicate, ' +
        'rejected, parked, dead letter, or, after the timeout, unknown. Failures go to standard error. With ' +
        '--wait and --file, but without --json, prints only outcomes other than applied and duplicate. With ' +
        '--wait, the exit status is 1 unless every event is applied or a duplicate. Without --wait, warns about unknown models.',
    )
    .argument('[model]', "the model's id")
    .argument('[transaction]', 'the transaction id, which identifies the instance')
    .argument('[type]', 'the event type, such as tickets.reserved')
    .addOption(new Option('--data <json>', "the event's data (default: {})").argParser(json))
    .option(
      '--source <name>',
      'the system that sends the event; the prefix `milepost:` is reserved (default: unknown)',
    )
    .option('--id <id>', 'the event id, unique within its source (default: a random UUID)')
    .option('--time <time>', 'when the event happened, in RFC 3339 (default: now)')
    .option('--replyto <instance>', 'the instance that receives the outcome, as model/transaction')
    .addOption(
      new Option('--file <path>', 'read events from a file, or - for standard input')
        .argParser(notEmpty)
        .conflicts([...attributeOptions]),
    )
    .option('--wait', 'wait for the outcome of each event and print it')
    .addOption(
      new Option('--timeout <seconds>', 'how long to wait for outcomes; implies --wait')
        .default(60_000, '60')
        .argParser((text) => 1000 * secondsBetween(0.1, 86_400, text))
        .implies({ wait: true }),
    )
    .addHelpText(
      'after',
      examples(
        `put activation ATV-123 activation.requested --data '{"service":"NBC"}'`,
        'put activation ATV-123 account.created --wait',
        'put --file events.ndjson',
      ),
    )
    .action(
      async (
        model: string | undefined,
        transaction: string | undefined,
        type: string | undefined,
        _: unknown,
        self: Command,
      ) => {
        const options = self.optsWithGlobals<PutOptions>();
        if (options.file !== undefined) {
          if (model !== undefined)
            self.error('error: put accepts either --file, or a model, a transaction, and a type');
          await putFile(cli, self, options.file, options);
        } else if (model === undefined || transaction === undefined || type === undefined)
          self.error('error: put requires a model, a transaction, and a type, or --file');
        else await putEvent(cli, self, { model, transaction, type }, options);
      },
    );
}

function json(text: string): string {
  if (isJson(text)) return text;
  throw new InvalidArgumentError('It must be valid JSON.');
}
