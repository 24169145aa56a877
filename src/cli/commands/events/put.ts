import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import { isJson } from '../../../common/is-json.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { responses } from '../../client/responses.ts';
import { openEventFile, readEvents } from '../../events/event-file.ts';
import type { EventLine } from '../../events/event-lines.ts';
import { type EventOutcome, isSuccess } from '../../events/event-outcome.ts';
import { EventOutcomes } from '../../events/event-outcomes.ts';
import { type SendListener, type SendSummary, sendEvents } from '../../events/send-events.ts';
import { parseSentEvent } from '../../events/sent-event.ts';
import { unknownModelWarnings } from '../../events/unknown-model-warnings.ts';
import { OutcomePrinter, waitForOutcomes } from '../../events/wait-for-outcomes.ts';
import { untilInterrupted } from '../../interrupt.ts';
import { examples, notEmpty } from '../../options/arguments.ts';
import { count } from '../../output/format.ts';
import { ProgressLine } from '../../output/progress-line.ts';

interface PutOptions extends GlobalOptions {
  readonly wait?: true;
  /** The maximum time to wait for the outcomes, in milliseconds. */
  readonly timeout: number;
  readonly id?: string;
  readonly source?: string;
  readonly time?: string;
  readonly replyto?: string;
  /** The data as JSON text, which is sent unchanged. */
  readonly data?: string;
  readonly file?: string;
}

const attributeOptions = ['id', 'source', 'time', 'replyto', 'data'] as const;

/** `milepost put`: sends one event from options, or the events in a file. */
export function addPut(program: Command, cli: Cli): void {
  program
    .command('put')
    .summary('send an event, or a file of events')
    .description(
      'Puts an event on the stream or, with --file, every CloudEvent in a file: one per line ' +
        '(NDJSON) or a JSON array. Sends events unchanged and in order; if they arrive slowly on standard input, within half a second. Reports invalid events with their line ' +
        'numbers and sends the others. With --wait, prints the outcome of each event: applied, duplicate, rejected, parked or ' +
        'dead letter, or unknown after the timeout. Failures go to standard error. With --wait and --file, prints only outcomes other than applied and ' +
        'duplicate. With --wait, the exit status is 1 unless every event is applied or a duplicate. Warns about ' +
        'unknown models.',
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
      new Option('--timeout <seconds>', 'the maximum time to wait for outcomes; implies --wait')
        .default(60_000, '60')
        .argParser(seconds)
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
        const { file, ...options } = self.optsWithGlobals<PutOptions>();
        if (file !== undefined) {
          if (model !== undefined)
            self.error('error: put accepts either --file, or a model, a transaction and a type');
          await putFile(cli, self, file, options);
        } else if (model === undefined || transaction === undefined || type === undefined)
          self.error('error: put requires a model, a transaction and a type, or --file');
        else await putOne(cli, self, { model, transaction, type }, options);
      },
    );
}

function json(text: string): string {
  if (isJson(text)) return text;
  throw new InvalidArgumentError('It must be valid JSON.');
}

function seconds(text: string): number {
  const given = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (given < 0.1 || given > 86_400)
    throw new InvalidArgumentError('It must be a number of seconds from 0.1 to 86400.');
  return given * 1000;
}

interface EventAttributes {
  readonly model: string;
  readonly transaction: string;
  readonly type: string;
}

async function putOne(
  cli: Cli,
  self: Command,
  { model, transaction, type }: EventAttributes,
  options: Omit<PutOptions, 'file'>,
): Promise<void> {
  const id = options.id ?? randomUUID();
  const attributes = JSON.stringify({
    specversion: '1.0',
    id,
    source: options.source,
    type,
    time: options.time,
    modelid: model,
    transactionid: transaction,
    replyto: options.replyto,
  });
  // Insert the data as text, because parsing would round large numbers.
  const event =
    options.data === undefined ? attributes : `${attributes.slice(0, -1)},"data":${options.data}}`;
  const api = cli.api(self);
  const sent = { model, transaction, source: options.source ?? 'unknown', id };
  const outcomes = options.wait && new EventOutcomes((signal) => cli.api(self, { signal }));
  await outcomes?.prepare([sent]);
  const answer = await api.post('/events', { body: event });
  if (options.json) {
    cli.printJson(answer, responses.accepted);
    if (options.id === undefined) cli.note(`id ${id}`);
  } else {
    answer.read(responses.accepted);
    cli.print(escapeControls(`accepted ${type} for ${model}/${transaction}, id ${id}`));
  }
  await warn(cli, self, new Set([model]));
  if (!outcomes) return;
  const { json = false, timeout: limitMs } = options;
  const printer = new OutcomePrinter(cli, { json, namesEvents: false, limitMs });
  for (const known of outcomes.add([sent])) printer.print(known);
  for await (const result of waitForOutcomes(outcomes, limitMs, cli.context.wait))
    printer.print(result);
  noteFailure(cli, outcomes);
}

/** Prints the error because of which outcomes remain unknown, if any. */
function noteFailure(cli: Cli, { failure }: EventOutcomes): void {
  if (failure) cli.note(`error: cannot read the outcomes: ${failure.message}`);
}

/** Prints a warning for each unknown model. Waits for the list of models for at most ten seconds. */
async function warn(cli: Cli, self: Command, models: ReadonlySet<string>): Promise<void> {
  const api = cli.api(self, { attempts: 1, timeoutMs: 10_000 });
  for (const warning of await unknownModelWarnings(api, models)) cli.note(warning);
}

async function putFile(
  cli: Cli,
  self: Command,
  path: string,
  options: Omit<PutOptions, 'file'>,
): Promise<void> {
  const api = cli.api(self);
  const file = await openEventFile(path, cli.context.stdin).catch((error: Error) =>
    self.error(`error: cannot read ${path}: ${error.message}`),
  );
  let read = 0;
  const counted = async function* () {
    for await (const chunk of file.chunks) {
      read += chunk.length;
      yield chunk;
    }
  };
  const progress = new ProgressLine(cli.context);
  const outcomes = options.wait && new EventOutcomes((signal) => cli.api(self, { signal }));
  const { json = false, timeout: limitMs } = options;
  const printer = new OutcomePrinter(cli, { json, namesEvents: true, limitMs });
  const models = new Set<string>();
  const show = (result: EventOutcome) => {
    if (isSuccess(result) && !json) return printer.count(result);
    progress.clear();
    printer.print(result);
  };
  let sent: SendSummary = { accepted: 0, refused: 0 };
  const listener: SendListener = {
    sending: async (lines) => outcomes?.prepare(sentEventsIn(lines)),
    accepted(lines) {
      const events = sentEventsIn(lines);
      for (const { model } of events) models.add(model);
      outcomes?.add(events).forEach(show);
    },
    refused({ line, reason }) {
      progress.clear();
      cli.note(`line ${line}: ${escapeControls(reason)}`);
    },
    progress({ accepted, refused }) {
      const share = file.size === undefined ? undefined : Math.min(read / (file.size || 1), 1);
      progress.show(share, `accepted ${accepted}, refused ${refused}`);
    },
  };
  const interruptedWith = await untilInterrupted(cli.signals, async (signal) => {
    sent = await sendEvents(api, readEvents(counted()), listener, signal);
  });
  file.close();
  progress.clear();
  await warn(cli, self, models);
  if (interruptedWith) for (const result of outcomes?.giveUp() ?? []) printer.count(result);
  else if (outcomes) {
    for await (const result of waitForOutcomes(outcomes, limitMs, cli.context.wait)) {
      show(result);
      progress.show(undefined, `waiting for ${count(outcomes.pending, 'outcome')}`);
    }
    progress.clear();
    noteFailure(cli, outcomes);
  }
  const { accepted, refused, stopped } = sent;
  cli.print(
    json
      ? JSON.stringify({ accepted, refused })
      : `accepted ${accepted}, refused ${refused}${outcomes ? `: ${printer.summary()}` : ''}`,
  );
  if (stopped)
    cli.note(
      `error: stopped at line ${stopped.line}: ${escapeControls(stopped.reason)}; ` +
        'send the file again from this line, or send the whole file again, because duplicates have no effect',
    );
  if (stopped || refused > 0) cli.status = interruptedWith ?? 1;
}

const sentEventsIn = (lines: readonly EventLine[]) =>
  lines.flatMap(({ json }) => parseSentEvent(json) ?? []);
