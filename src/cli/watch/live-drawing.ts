import stringWidth from 'string-width';
import type { Output } from '../context.ts';
import { truncate } from '../output/table.ts';

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const clearToLineEnd = '\x1b[K';
const clearBelow = '\x1b[J';

/**
 * Lines on a terminal that are written over as things go on, the cursor hidden below them. Each
 * drawing is one write over the one before, so that nothing flickers; one that is the same writes nothing.
 */
export class LiveDrawing implements Disposable {
  readonly #output: Output;
  #lines: readonly string[] | undefined;
  #columns = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Lines that are too wide or too many for the terminal are cut. */
  draw(text: string): void {
    const { columns, rows } = this.#output;
    const width = columns || 80;
    const lines = cutToHeight(text.split('\n'), rows || 24).map((line) =>
      // The last column stays free: some terminals wrap when it is written to.
      truncate(line, width - 1),
    );
    const resized = this.#lines !== undefined && width !== this.#columns;
    if (!resized && lines.join('\n') === this.#lines?.join('\n')) return;
    const start = this.#lines === undefined ? hideCursor : this.#toStart(width);
    this.#output.write(start + (resized ? clearBelow : '') + over(lines));
    this.#lines = lines;
    this.#columns = width;
  }

  /** Leaves the last drawing where it is, with the cursor below it. */
  [Symbol.dispose](): void {
    if (this.#lines === undefined) return;
    // Once more, over the ^C that a terminal shows.
    const start = this.#toStart(this.#output.columns || 80);
    this.#output.write(start + over(this.#lines) + showCursor);
    this.#lines = undefined;
  }

  /** A terminal that was made narrower has wrapped the lines that were drawn for its old width. */
  #toStart(width: number): string {
    const heights = (this.#lines ?? []).map((line) => Math.ceil(stringWidth(line) / width) || 1);
    const height = heights.reduce((sum, each) => sum + each, 0);
    return `\r\x1b[${height}A`;
  }
}

function over(lines: readonly string[]): string {
  return lines.map((line) => `${line}${clearToLineEnd}\n`).join('') + clearBelow;
}

/** What leaves the terminal by its top cannot be written over; the last line says how it goes on. */
function cutToHeight(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length < rows) return lines;
  return [...lines.slice(0, Math.max(rows - 3, 0)), '…', ...lines.slice(-1)];
}
