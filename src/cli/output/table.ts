import stringWidth from 'string-width';
import type { Paint, Style } from './style.ts';

/** One column. Without `min` it always has room for its widest cell. */
export interface Column {
  /** A table whose headers are all empty is drawn without them. */
  readonly header: string;
  /** It may be cut down to this many terminal columns. */
  readonly min?: number;
  readonly align?: 'right';
  /** Left out where no row has anything in it. */
  readonly optional?: true;
}

/** A cell's text, free of control characters. */
export type Cell = string | { readonly text: string; readonly style: Style };

/** What a table is made for. `width`: the terminal's columns; undefined where there is no edge. */
export interface TableLayout {
  readonly width: number | undefined;
  readonly paint: Paint;
}

const gap = '  ';
const styling = /(\p{Cc}\[[\d;]*m)/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text);

/**
 * Rows as a table that fits the page: wide columns are cut with an ellipsis, the widest first.
 * Where even that does not fit, each row becomes a block of `header  value` lines.
 */
export function renderTable(
  allColumns: readonly Column[],
  allRows: readonly (readonly Cell[])[],
  page: TableLayout,
): string {
  const shown = allColumns.map(
    (column, i) => !column.optional || allRows.some((row) => textOf(row[i] ?? '') !== ''),
  );
  const columns = allColumns.filter((_, i) => shown[i]);
  const rows = allRows.map((row) => row.filter((_, i) => shown[i]));

  const widths = fit(columns, rows, page.width);
  if (widths === undefined) return renderBlocks(columns, rows, page.paint);

  const line = (cells: readonly Cell[]) =>
    columns
      .map((column, i) => renderCell(cells[i] ?? '', column, widths[i] ?? 0, page.paint))
      .join(gap)
      .trimEnd();
  const headers = columns.map(({ header }): Cell => ({ text: header, style: 'bold' }));
  const titled = columns.some(({ header }) => header !== '');
  return (titled ? [headers, ...rows] : rows).map(line).join('\n');
}

/**
 * A text cut to so many terminal columns, the last of them an ellipsis where something is gone. What
 * styles it stays, so that a style that begins in it also ends.
 */
export function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const [i, part] of text.split(styling).entries()) {
    if (i % 2 === 1) kept += part;
    else if (used < width)
      for (const { segment } of graphemes.segment(part)) {
        used += stringWidth(segment);
        if (used >= width) {
          kept += '…';
          break;
        }
        kept += segment;
      }
  }
  return kept;
}

function fit(columns: readonly Column[], rows: readonly (readonly Cell[])[], width?: number) {
  const widths = columns.map((column, i) =>
    rows.reduce(
      (widest, row) => Math.max(widest, stringWidth(textOf(row[i] ?? ''))),
      stringWidth(column.header),
    ),
  );
  if (width === undefined) return widths;
  const least = columns.map((column, i) => Math.min(widths[i] ?? 0, column.min ?? Infinity));
  let excess = sum(widths) + gap.length * (columns.length - 1) - width;
  if (excess > sum(widths) - sum(least)) return undefined;
  for (; excess > 0; excess--) {
    const room = widths.map((w, i) => (w > (least[i] ?? 0) ? w : 0));
    const widest = room.indexOf(Math.max(...room));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function renderCell(cell: Cell, column: Column, width: number, paint: Paint): string {
  const text = truncate(textOf(cell), width);
  const painted = typeof cell === 'string' || text === '' ? text : paint(cell.style, text);
  const padding = ' '.repeat(width - stringWidth(text));
  return column.align === 'right' ? padding + painted : painted + padding;
}

function renderBlocks(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  paint: Paint,
): string {
  const labels = Math.max(...columns.map(({ header }) => stringWidth(header)));
  const block = (row: readonly Cell[]) =>
    columns
      .flatMap(({ header }, i) => {
        const cell = row[i] ?? '';
        if (textOf(cell) === '') return [];
        const label = paint('bold', header) + ' '.repeat(labels - stringWidth(header));
        return label + gap + (typeof cell === 'string' ? cell : paint(cell.style, cell.text));
      })
      .join('\n');
  return rows.map(block).join('\n\n');
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
