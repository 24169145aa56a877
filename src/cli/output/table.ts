import stringWidth from 'string-width';
import type { Paint, Style } from './style.ts';

/** A column of a table. Without `min`, the column is always as wide as its widest cell. */
export interface Column {
  /** The text above the column. If all headers are empty, the table has no header row. */
  readonly header: string;
  /** The width, in terminal columns, to which the column can be truncated. */
  readonly min?: number;
  readonly align?: 'right';
  /** True to hide the column if all of its cells are empty. */
  readonly optional?: true;
}

/** A cell's text, free of control characters. */
export type Cell = string | { readonly text: string; readonly style: Style };

/** The layout of a table. `width`: the width of the terminal, in columns; undefined if it is unlimited. */
export interface TableLayout {
  readonly width: number | undefined;
  readonly paint: Paint;
}

const gap = '  ';
const styling = /(\p{Cc}\[[\d;]*m)/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text);

/**
 * Renders rows as a table that fits the width of the layout, truncating the widest columns with an ellipsis. If even
 * the minimum widths do not fit, renders each row as a block of `header value` lines.
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
 * Truncates text to a number of terminal columns, with an ellipsis. Keeps escape sequences for styles so that every
 * style that starts also ends.
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
