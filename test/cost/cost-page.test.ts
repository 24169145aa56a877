import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { costTables } from './cost-page.ts';

it('docs/reference/cost.md shows the results of the formula', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/reference/cost.md'), 'utf8');
  // Skip the comparison with other services, whose prices are those of a fixed date.
  const [current = ''] = page.split('\n## Comparison ');
  const tables = current.match(/(?:^\|.*\n)+/gm)!.filter((text) => text.includes('--:'));
  expect(tables.map((text) => text.trim())).toEqual(costTables());
});
