import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pagesFolder, typeScriptFolder } from './layout.ts';

const root = join(import.meta.dirname, '..', '..');

/** Returns the names that an entry exports. Entries contain only `export { … } from` statements. */
export const exportsOf = (entry: string): string[] =>
  [...entry.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '');

/**
 * Checks that every export of the package has a page.
 *
 * @param entries the paths of the files that declare the package's entry points.
 * @throws Error with the names of the exports without a page.
 */
export async function expectPagePerExport(entries: readonly string[]): Promise<void> {
  const texts = await Promise.all(entries.map((file) => readFile(join(root, file), 'utf8')));
  const pages = new Set<string>();
  for await (const page of glob('**/*.md', { cwd: join(root, pagesFolder, typeScriptFolder) }))
    pages.add(basename(page, '.md'));
  const missing = texts.flatMap(exportsOf).filter((name) => !pages.has(name));
  if (missing.length > 0) throw new Error(`these exports have no page: ${missing.join(', ')}`);
}
