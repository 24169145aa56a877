import { escapeControls } from '../../common/escape.ts';
import type { Cli } from '../cli.ts';
import type { OnSkipped, SkippedPart } from '../client/read-instance.ts';
import { count } from '../output/format.ts';
import type { ProgressLine } from '../output/progress-line.ts';

const textOf: Readonly<Record<SkippedPart, string>> = {
  instance: '',
  events: 'the events of ',
  rest: 'the remaining events of ',
};

/** Prints a warning for each skipped instance, counts them, and sets the exit status to 1. */
export class SkippedInstances {
  readonly #cli: Cli;
  readonly #progress: ProgressLine;
  #instances = 0;
  #histories = 0;

  constructor(cli: Cli, progress: ProgressLine) {
    this.#cli = cli;
    this.#progress = progress;
  }

  readonly add: OnSkipped = ({ model, transaction }, reason, part) => {
    if (part === 'instance') this.#instances += 1;
    else this.#histories += 1;
    this.#progress.clear();
    const name = escapeControls(`${model}/${transaction}`);
    this.#cli.note(`warning: skipped ${textOf[part]}${name}: ${escapeControls(reason)}`);
    this.#cli.status = 1;
  };

  /**
   * Prints how many instances were skipped entirely and how many lack events, if any.
   *
   * @param result the name of the incomplete output, such as `export`.
   */
  printTotal(result: string): void {
    const missing = [
      ...(this.#instances > 0 ? [count(this.#instances, 'instance')] : []),
      ...(this.#histories > 0 ? [`events of ${count(this.#histories, 'instance')}`] : []),
    ];
    if (missing.length > 0)
      this.#cli.note(
        `error: the ${result} is incomplete: it lacks ${missing.join(' and ')}; see the warnings above`,
      );
  }
}
