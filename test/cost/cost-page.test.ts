import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { costTables } from './cost-page.ts';

it('says in docs/cost.md what the formula gives', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/cost.md'), 'utf8');
  const tables = page.match(/(?:^\|.*\n)+/gm)!.filter((text) => text.includes('--:'));
  expect(tables.map((text) => text.trim())).toEqual(costTables());
});
