import type { CliContext, Output } from '../context.ts';
import { bar, percent } from './format.ts';
import { truncate } from './table.ts';

const clearLine = '\r\x1b[K';

/**
 * A progress line that is updated in place. Prints nothing unless standard error is a terminal that supports updates in
 * place.
 */
export class ProgressLine {
  readonly #output: Output;
  readonly #canUpdate: boolean;
  #shown = false;

  constructor({ stderr, env }: Pick<CliContext, 'stderr' | 'env'>) {
    this.#output = stderr;
    this.#canUpdate = stderr.isTTY === true && env.TERM !== 'dumb';
  }

  /** @param share the completed share, from 0 to 1; undefined if the total is unknown. */
  show(share: number | undefined, text: string): void {
    if (!this.#canUpdate) return;
    const columns = this.#output.columns || 80;
    const known =
      share === undefined
        ? ''
        : `${bar(share, columns < 60 ? 10 : 24)} ${percent(share).padStart(4)}  `;
    // Leave the last column empty because some terminals wrap after it.
    this.#output.write(clearLine + truncate(known + text, columns - 1));
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.#output.write(clearLine);
    this.#shown = false;
  }
}
