import { writeFile } from 'node:fs/promises';
import { optionsOrExit } from '../../test/support/options-or-exit.ts';
import { load, machine } from './machine.ts';
import { figure, table } from './table.ts';

/** A cell of a table: a number to format, or text. */
export type Cell = number | string;

/** A table of a report. Rows can have different columns. */
export interface Table {
  readonly title: string;
  readonly rows: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
}

/** The results of a benchmark: tables, all measured values, and notes for readers. */
export interface Section {
  readonly title: string;
  readonly tables: readonly Table[];
  /** All measured values, as JSON. */
  readonly figures: unknown;
  readonly notes: readonly string[];
}

export function toMarkdown({ title, tables, notes }: Section): string {
  return [
    `## ${title}`,
    ...tables.map(tableMarkdown),
    notes.map((note) => `- ${note}`).join('\n'),
  ].join('\n\n');
}

function tableMarkdown({ title, rows }: Table): string {
  const columns = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))];
  return table(
    [title, ...columns],
    Object.entries(rows).map(([name, row]) => [name, ...columns.map((each) => text(row[each]))]),
  );
}

const text = (cell: Cell | undefined) => (typeof cell === 'string' ? cell : figure(cell));

/**
 * Runs a benchmark from the command line. Prints the tables and, with `--json FILE`, writes the section to the file.
 */
export async function main(run: () => Promise<Section>): Promise<void> {
  const values = optionsOrExit({ json: { type: 'string' } }, 'usage: npx node FILE [--json FILE]');
  const section = await run();
  process.stdout.write(`${toMarkdown(section)}\n\n${machineText()}\n`);
  if (values.json) await writeFile(values.json, `${JSON.stringify(section, null, 2)}\n`);
}

/** Describes the machine and its current load. */
export const machineText = (): string =>
  `Node.js ${machine.node}, ${machine.cores} x ${machine.processor}, load ${load()}`;
