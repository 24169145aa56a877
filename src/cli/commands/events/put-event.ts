import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import type { Cli } from '../../cli.ts';
import { responses } from '../../client/responses.ts';
import { EventOutcomes } from '../../events/event-outcomes.ts';
import { OutcomePrinter } from '../../events/outcome-printer.ts';
import { findUnknownModels, warningsOf } from '../../events/unknown-models.ts';
import { waitForOutcomes } from '../../events/wait-for-outcomes.ts';
import type { PutOptions } from './put-options.ts';

/** The arguments of `milepost put` for one event. */
interface EventAttributes {
  readonly model: string;
  readonly transaction: string;
  readonly type: string;
}

/** Sends one event, and with `--wait`, prints its outcome. */
export async function putEvent(
  cli: Cli,
  self: Command,
  { model, transaction, type }: EventAttributes,
  options: PutOptions,
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
  // Insert the data as text because parsing would round large numbers.
  const event =
    options.data === undefined ? attributes : `${attributes.slice(0, -1)},"data":${options.data}}`;
  const api = cli.api(self);
  const sent = { model, transaction, source: options.source ?? 'unknown', id };
  const outcomes = options.wait && new EventOutcomes((signal) => cli.api(self, { signal }));
  await outcomes?.prepare([sent]);
  const noteId = () => {
    if (options.json && options.id === undefined) cli.note(`id ${id}`);
  };
  const answer = await api.post('/events', { body: event });
  if (options.json) {
    cli.printJson(answer, responses.accepted);
    // With --wait, the JSON of the outcome contains the id.
    if (!outcomes) noteId();
  } else {
    answer.read(responses.accepted);
    cli.print(escapeControls(`accepted ${type} for ${model}/${transaction}, id ${id}`));
  }
  const unknownModels = await findUnknownModels(cli, self, new Set([model]));
  if (!outcomes) {
    for (const warning of warningsOf(unknownModels)) cli.note(warning);
    return;
  }
  const { json = false, timeout: limitMs } = options;
  const printer = new OutcomePrinter(cli, { json, namesEvents: false, limitMs });
  printer.unknownModels = unknownModels;
  for (const known of outcomes.add([sent])) printer.print(known);
  try {
    for await (const result of waitForOutcomes(outcomes, limitMs, cli.context.wait))
      printer.print(result, outcomes.failure);
  } catch (error) {
    // The service accepted the event but denies reading its outcome.
    noteId();
    throw error;
  }
}
