import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/docs/markdown.ts';

const read = (path: string) => readFile(join(root, path), 'utf8');
const page = await read('docs/explanation/security.md');
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((text) => [text.slice(0, text.indexOf('\n')), text] as const);

/** The sections about one actor, each of which lists what the actor can and cannot do. */
const actors = sections.filter(([, text]) => /^\| Cannot \|/m.test(text));

const cellsOf = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns the rows of a section's tables whose last column lists tests. */
function rowsWithTests(text: string): string[][] {
  const tables = text.match(/(?:^\|.*\n)+/gm) ?? [];
  return tables
    .map((table) => table.trim().split('\n').map(cellsOf))
    .filter(([heading]) => heading!.at(-1) === 'Test')
    .flatMap(([, , ...rows]) => rows);
}

const testsIn = (text: string) =>
  [...text.matchAll(/\]\((\.\.\/\.\.\/test\/[^)]+)\)/g)].map(([, link]) =>
    normalize(join('docs/explanation', link!)),
  );

/** Returns why a cell is invalid; undefined if it contains `no test` or its tests exist. */
function flawOf(cell: string): string | undefined {
  if (cell === 'no test') return undefined;
  const paths = testsIn(cell);
  if (paths.length === 0) return `${cell}: names no test`;
  const wrong = paths.filter((path) => !path.endsWith('.test.ts') || !existsSync(join(root, path)));
  return wrong.length > 0 ? `${wrong.join(', ')}: no such test file` : undefined;
}

/** The actions in the role of the TypeScript model `orders`, from the snapshots of all statements. */
async function modelActions(): Promise<string[]> {
  const files = ['statements.txt', 'statements-every-option.txt'];
  const texts = await Promise.all(files.map((file) => read(join('test/lib', file))));
  const lines = texts.flatMap((text) =>
    /^Modelsorders\n((?: {2}.*\n)+)/m.exec(text)![1]!.split('\n'),
  );
  return [...new Set(lines.flatMap((line) => line.match(/\b[a-z]+:[A-Z]\w+\*?(?=.* on )/g) ?? []))];
}

describe('docs/explanation/security.md', () => {
  it('has a section for each actor', () => {
    expect(actors.map(([heading]) => heading)).toEqual([
      'Producers',
      'Operators and viewers',
      'Customers with a link',
      'Authors of TypeScript models',
      'Authors of model functions',
      'Other teams in the account',
      'Web pages that a developer visits',
      'People who can deploy',
    ]);
  });

  it.each(actors)('lists existing tests or `no test` for the actor %s', (_, text) => {
    const flaws = rowsWithTests(text).map((cells) => flawOf(cells.at(-1)!));
    expect(flaws.filter((flaw) => flaw !== undefined)).toEqual([]);
    expect(testsIn(text)).not.toEqual([]);
  });

  it('is reported if a row lists a missing test, or neither a test nor `no test`', () => {
    expect(flawOf('[gone](../../test/lib/gone.test.ts)')).toBe(
      'test/lib/gone.test.ts: no such test file',
    );
    expect(flawOf('soon')).toBe('soon: names no test');
  });

  it('lists exactly the actions that the role of a TypeScript model allows', async () => {
    const [, text] = actors.find(([heading]) => heading === 'Authors of TypeScript models')!;
    const [table] = text.match(/^\| Action \|.*\n(?:\|.*\n)+/m) ?? [''];
    const listed = table
      .split('\n')
      .flatMap((row) => cellsOf(row)[0]?.match(/[a-z]+:[A-Z]\w+\*?/g) ?? []);
    expect([...new Set(listed)].toSorted()).toEqual((await modelActions()).toSorted());
  });
});
