import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { costTables } from './cost-page.ts';

it('says in docs/reference/cost.md what the formula gives', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/reference/cost.md'), 'utf8');
  // The comparison with other services has a date, and stays as it was then.
  const [current = ''] = page.split('\n## Comparison ');
  const tables = current.match(/(?:^\|.*\n)+/gm)!.filter((text) => text.includes('--:'));
  expect(tables.map((text) => text.trim())).toEqual(costTables());
});
