import type { Command } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import type { Cli } from '../../cli.ts';
import { openEventFile, readEvents } from '../../events/event-file.ts';
import type { EventLine } from '../../events/event-lines.ts';
import { type EventOutcome, isSuccess } from '../../events/event-outcome.ts';
import { EventOutcomes } from '../../events/event-outcomes.ts';
import { OutcomePrinter } from '../../events/outcome-printer.ts';
import { type SendListener, type SendSummary, sendEvents } from '../../events/send-events.ts';
import { parseSentEvent } from '../../events/sent-event.ts';
import { findUnknownModels, warningsOf } from '../../events/unknown-models.ts';
import { waitForOutcomes } from '../../events/wait-for-outcomes.ts';
import { untilInterrupted } from '../../interrupt.ts';
import { count, withNextStep } from '../../output/format.ts';
import { ProgressLine } from '../../output/progress-line.ts';
import type { PutOptions } from './put-options.ts';

/** Sends the events in a file, and with `--wait`, prints their outcomes. */
export async function putFile(
  cli: Cli,
  self: Command,
  path: string,
  options: PutOptions,
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
    printer.print(result, outcomes?.failure);
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
  printer.unknownModels = await findUnknownModels(cli, self, models);
  if (interruptedWith) for (const result of outcomes?.giveUp() ?? []) printer.count(result);
  else if (outcomes) {
    for await (const result of waitForOutcomes(outcomes, limitMs, cli.context.wait)) {
      show(result);
      progress.show(undefined, `waiting for ${count(outcomes.pending, 'outcome')}`);
    }
    progress.clear();
  }
  const { accepted, refused, stopped } = sent;
  if (json) cli.printData({ accepted, refused });
  else {
    const summary = outcomes ? `: ${printer.summary()}` : '';
    cli.print(`accepted ${accepted}, refused ${refused}${summary}`);
  }
  // If the outcomes are printed, they name the unknown models.
  const warnings = outcomes && !interruptedWith ? [] : warningsOf(printer.unknownModels);
  if (stopped) cli.note([stopText(stopped), ...warnings].join('. '));
  else for (const warning of warnings) cli.note(warning);
  if (stopped || refused > 0) cli.status = 1;
  cli.status = interruptedWith ?? cli.status;
}

const stopText = ({ line, reason }: NonNullable<SendSummary['stopped']>) =>
  withNextStep(
    `error: stopped at line ${line}: ${escapeControls(reason)}`,
    'send the file again from this line, or send the whole file again, because duplicates have no effect',
  );

const sentEventsIn = (lines: readonly EventLine[]) =>
  lines.flatMap(({ json }) => parseSentEvent(json) ?? []);
