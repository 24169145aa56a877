import type { Output } from '../context.ts';
import { bar, percent } from './format.ts';
import { truncate } from './table.ts';

const clearLine = '\r\x1b[K';

/** One line on a terminal that is written over as things go on; nothing where there is no terminal. */
export class ProgressLine {
  readonly #output: Output;
  #shown = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** `share`: 0 to 1, or undefined where the whole is not known. */
  show(share: number | undefined, text: string): void {
    if (!this.#output.isTTY) return;
    const columns = this.#output.columns ?? 80;
    const known =
      share === undefined
        ? ''
        : `${bar(share, columns < 60 ? 10 : 24)} ${percent(share).padStart(4)}  `;
    // The last column stays free: some terminals wrap when it is written to.
    this.#output.write(clearLine + truncate(known + text, columns - 1));
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.#output.write(clearLine);
    this.#shown = false;
  }
}
