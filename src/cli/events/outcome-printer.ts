import { escapeControls } from '../../common/escape.ts';
import { shellArguments } from '../../common/shell-word.ts';
import type { Cli } from '../cli.ts';
import type { ApiError } from '../client/api-client.ts';
import { withNextStep } from '../output/format.ts';
import { type EventOutcome, isSuccess } from './event-outcome.ts';
import type { UnknownModels } from './unknown-models.ts';

interface PrintOptions {
  readonly json: boolean;
  /** True if each line starts with the id of its event. */
  readonly namesEvents: boolean;
  /** The timeout in milliseconds, for messages about unknown outcomes. */
  readonly limitMs: number;
}

/**
 * Prints each outcome as one line: failures to standard error, other outcomes to standard output. With `--json`, prints
 * every outcome to standard output as a line of JSON, and failures also to standard error as text.
 */
export class OutcomePrinter {
  readonly #cli: Cli;
  readonly #options: PrintOptions;
  readonly #counts = new Map<EventOutcome['kind'], number>();
  /** The models that the messages report as unknown. */
  unknownModels: UnknownModels = new Map();

  constructor(cli: Cli, options: PrintOptions) {
    this.#cli = cli;
    this.#options = options;
  }

  /**
   * Prints an outcome, and counts it for the summary.
   *
   * @param failure the error, if any, that kept outcomes from being read.
   */
  print(result: EventOutcome, failure?: ApiError): void {
    this.count(result);
    const { json, namesEvents, limitMs } = this.#options;
    const name = namesEvents ? `event ${result.event.id} ` : '';
    const suggestion = this.unknownModels.get(result.event.model);
    const text = escapeControls(name + textOf(result, { limitMs, suggestion, failure }));
    if (json) this.#cli.printData(dataOf(result));
    else if (isSuccess(result)) this.#cli.print(text);
    if (!isSuccess(result)) this.#cli.note(text);
  }

  /** Counts an outcome, and sets the exit status to 1 unless the event was applied or is a duplicate. */
  count(result: EventOutcome): void {
    this.#counts.set(result.kind, (this.#counts.get(result.kind) ?? 0) + 1);
    if (!isSuccess(result)) this.#cli.status = 1;
  }

  /** Returns the number of events by outcome, such as "applied 3, rejected 1". */
  summary(): string {
    const kinds = Object.keys(wordsFor) as EventOutcome['kind'][];
    const counts = kinds.flatMap((kind) => {
      const count = this.#counts.get(kind) ?? 0;
      return count > 0 || kind === 'applied' ? `${wordsFor[kind]} ${count}` : [];
    });
    return counts.join(', ');
  }
}

const wordsFor: Readonly<Record<EventOutcome['kind'], string>> = {
  applied: 'applied',
  duplicate: 'duplicate',
  rejected: 'rejected',
  parked: 'parked',
  'dead-letter': 'dead letters',
  unknown: 'unknown',
};

const dataOf = ({ event, kind, status, reason, deadLetter }: EventOutcome) => ({
  ...event,
  outcome: kind,
  status,
  reason,
  deadLetter,
});

interface TextOptions {
  readonly limitMs: number;
  /** The end of a message about the event's model; undefined if the model is known. */
  readonly suggestion: string | undefined;
  readonly failure: ApiError | undefined;
}

function textOf(
  { event, kind, status, reason, deadLetter }: EventOutcome,
  { limitMs, suggestion, failure }: TextOptions,
): string {
  const { model, transaction } = event;
  const instance = `${model}/${transaction}`;
  const names = shellArguments(model, transaction);
  switch (kind) {
    case 'applied':
      return `applied: ${instance} is ${status}`;
    case 'duplicate':
      return `duplicate: ${instance} already processed this event and is ${status}`;
    case 'rejected':
      return `rejected: ${reason}; ${instance} is ${status}`;
    case 'parked':
      return `parked: ${reason}; fix the cause, then run: milepost redrive ${names}`;
    case 'dead-letter':
      return suggestion === undefined
        ? `dead letter: ${reason}; see: milepost dead-letters show ${deadLetter}`
        : withNextStep(
            `dead letter: ${reason}${suggestion}`,
            `after you deploy the model, run: milepost redrive --dead-letter ${deadLetter}`,
          );
    case 'unknown': {
      if (reason) return `unknown: ${reason}`;
      const late = `unknown: no outcome after ${limitMs / 1000} s`;
      if (suggestion !== undefined)
        return withNextStep(
          `${late}; there is no model \`${model}\`${suggestion}`,
          'to see whether it becomes a dead letter, run later: milepost dead-letters',
        );
      const why = failure ? `: ${failure.message}` : '';
      return withNextStep(late + why, `to check again, run: milepost history ${names}`);
    }
  }
}
