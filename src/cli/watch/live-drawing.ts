import stringWidth from 'string-width';
import type { Output } from '../context.ts';
import { truncate } from '../output/table.ts';

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const clearToLineEnd = '\x1b[K';
const clearBelow = '\x1b[J';

/**
 * Draws lines on a terminal and updates them in place, with the cursor hidden. To avoid flicker, each drawing
 * overwrites the previous drawing in a single write. An unchanged drawing writes nothing.
 */
export class LiveDrawing implements Disposable {
  readonly #output: Output;
  #lines: readonly string[] | undefined;
  #columns = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Draws text, truncated to the width and the height of the terminal. */
  draw(text: string): void {
    const { columns, rows } = this.#output;
    const width = columns || 80;
    const lines = cutToHeight(text.split('\n'), rows || 24).map((line) =>
      // Leave the last column empty because some terminals wrap after it.
      truncate(line, width - 1),
    );
    const resized = this.#lines !== undefined && width !== this.#columns;
    if (!resized && lines.join('\n') === this.#lines?.join('\n')) return;
    const start = this.#lines === undefined ? hideCursor : this.#toStart(width);
    this.#output.write(start + (resized ? clearBelow : '') + over(lines));
    this.#lines = lines;
    this.#columns = width;
  }

  /** Leaves the last drawing on the screen, with the cursor below it. */
  [Symbol.dispose](): void {
    if (this.#lines === undefined) return;
    // Draw again to overwrite the ^C that the terminal prints.
    const start = this.#toStart(this.#output.columns || 80);
    this.#output.write(start + over(this.#lines) + showCursor);
    this.#lines = undefined;
  }

  /**
   * Returns the escape sequence that moves the cursor to the first line. If the terminal became narrower and wrapped
   * the lines, a line occupies several rows.
   */
  #toStart(width: number): string {
    const heights = (this.#lines ?? []).map((line) => Math.ceil(stringWidth(line) / width) || 1);
    const height = heights.reduce((sum, each) => sum + each, 0);
    return `\r\x1b[${height}A`;
  }
}

function over(lines: readonly string[]): string {
  return lines.map((line) => `${line}${clearToLineEnd}\n`).join('') + clearBelow;
}

/**
 * Omits lines that exceed the height of the terminal, because lines that scrolled off cannot be overwritten. Keeps the
 * last line.
 */
function cutToHeight(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length < rows) return lines;
  return [...lines.slice(0, Math.max(rows - 3, 0)), '…', ...lines.slice(-1)];
}
