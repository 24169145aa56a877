import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const docs = join(import.meta.dirname, '..', '..', 'docs', 'reference');
const page = await readFile(join(docs, 'vocabulary.md'), 'utf8');
const names = [...page.matchAll(/\[`(\w+)`\]\(([^)]+)\)/g)].map(([, name, file]) => [name!, file!]);

it('the vocabulary page defines more than forty terms', () => {
  expect(names.length).toBeGreaterThan(40);
});

it.each(names)('the vocabulary page links `%s` to %s, which exports it', async (name, file) => {
  const source = await readFile(join(docs, file), 'utf8');
  expect(source).toMatch(new RegExp(`^export [^=({]*\\b${name}\\b`, 'm'));
});
