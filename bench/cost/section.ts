import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';

/** A figure or a word in a table. */
export type Cell = number | string;

/** One table of a report: its lines have a name each, and the same columns. */
export interface Table {
  readonly title: string;
  readonly rows: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
}

/** What a bench has to say: tables for people, figures for programs, and what is to be known. */
export interface Section {
  readonly title: string;
  readonly tables: readonly Table[];
  /** Everything that was measured, as JSON. */
  readonly figures: unknown;
  readonly notes: readonly string[];
}

/** A section as Markdown. */
export function toMarkdown({ title, tables, notes }: Section): string {
  return [
    `## ${title}`,
    ...tables.map(tableMarkdown),
    notes.map((note) => `- ${note}`).join('\n'),
  ].join('\n\n');
}

function tableMarkdown({ title, rows }: Table): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))];
  const lines = [
    [title, ...columns],
    ['---', ...columns.map(() => '--:')],
    ...Object.entries(rows).map(([name, row]) => [name, ...columns.map((each) => text(row[each]))]),
  ];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function text(cell: Cell | undefined): string {
  if (typeof cell !== 'number') return cell ?? '';
  if (Number.isInteger(cell) || cell >= 1_000) return Math.round(cell).toLocaleString('en');
  return cell >= 100 ? cell.toFixed(0) : cell.toPrecision(3);
}

/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Runs a bench from the command line: prints its tables, and writes `--json FILE`. */
export async function main(run: () => Promise<Section>): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'string' } } });
  const section = await run();
  process.stdout.write(`${toMarkdown(section)}\n\n${machine()}\n`);
  if (values.json) await writeFile(values.json, `${JSON.stringify(section, null, 2)}\n`);
}

function machine(): string {
  const [first, ...others] = cpus();
  const load = loadavg().map((each) => each.toFixed(1));
  return `Node.js ${process.version}, ${others.length + 1} x ${first?.model}, load ${load.join(' ')}`;
}
