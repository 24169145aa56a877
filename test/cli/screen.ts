import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import type { Output } from '../../src/cli/context.ts';

interface Row {
  text: string;
  /** True if the line continues on the next row. */
  isWrapped: boolean;
}

const pieces = /\p{Cc}\[\??\d*[A-Za-z]|\n|\r|[^\p{Cc}]+/gu;

/** A terminal emulator whose characters are all one column wide. */
export class Screen extends EventEmitter implements Output {
  readonly isTTY = true;
  columns: number;
  rows: number;
  isCursorShown = true;
  /** The text of each write, in order. */
  readonly writes: string[] = [];
  #rows: Row[] = [{ text: '', isWrapped: false }];
  #row = 0;
  #column = 0;

  constructor(columns = 80, rows = 24) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  getColorDepth(): number {
    return 8;
  }

  write(text: string): void {
    this.writes.push(text);
    // Remove colors, which do not affect positions.
    for (const piece of text.replaceAll(/\p{Cc}\[[\d;]*m/gu, '').match(pieces) ?? [])
      this.#take(piece);
  }

  /** The non-empty rows, with `▮` at the position of the visible cursor. */
  get lines(): string[] {
    const rows = this.#rows.map(({ text }) => text.trimEnd());
    if (this.isCursorShown) rows[this.#row] = `${(rows[this.#row] ?? '').padEnd(this.#column)}▮`;
    return rows.filter((row) => row !== '');
  }

  /** Changes the size of the terminal and rewraps lines, as most terminals do. */
  resize(columns: number, rows = this.rows): void {
    const lines: string[] = [''];
    for (const { text, isWrapped } of this.#rows) {
      lines.push(`${lines.pop() ?? ''}${text}`);
      if (!isWrapped) lines.push('');
    }
    lines.pop();
    this.columns = columns;
    this.rows = rows;
    this.#rows = lines.flatMap((line) => this.#wrapped(line));
    this.#row = this.#rows.length - 1;
    this.emit('resize');
  }

  #wrapped(line: string): Row[] {
    const count = Math.max(Math.ceil(line.length / this.columns), 1);
    return Array.from({ length: count }, (_, i) => ({
      text: line.slice(i * this.columns, (i + 1) * this.columns),
      isWrapped: i < count - 1,
    }));
  }

  #take(piece: string): void {
    const end = piece.at(-1);
    if (piece === '\n') this.#newLine();
    else if (piece === '\r') this.#column = 0;
    else if (!piece.startsWith('\x1b')) for (const character of piece) this.#put(character);
    else if (end === 'A') {
      // The cursor cannot reach rows that have scrolled off the top.
      const top = Math.max(this.#rows.length - this.rows, 0);
      this.#row = Math.max(this.#row - Number(piece.slice(2, -1)), top);
    } else if (end === 'K') this.#cut();
    else if (end === 'J') {
      this.#cut();
      this.#rows.length = this.#row + 1;
    } else if (piece.includes('?25')) this.isCursorShown = end === 'h';
    else throw new Error(`unsupported escape sequence: ${stripVTControlCharacters(piece)}`);
  }

  #newLine(): void {
    this.#row++;
    this.#column = 0;
    this.#rows[this.#row] ??= { text: '', isWrapped: false };
  }

  #put(character: string): void {
    if (this.#column === this.columns) {
      this.#here.isWrapped = true;
      this.#newLine();
    }
    const { text } = this.#here;
    const before = text.padEnd(this.#column).slice(0, this.#column);
    this.#here.text = before + character + text.slice(this.#column + 1);
    this.#column++;
  }

  #cut(): void {
    this.#here.text = this.#here.text.slice(0, this.#column);
    this.#here.isWrapped = false;
  }

  get #here(): Row {
    const row = this.#rows[this.#row];
    if (!row) throw new Error('the cursor is outside the screen');
    return row;
  }
}
