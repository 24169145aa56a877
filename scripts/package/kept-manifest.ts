import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Manifest, publishedManifest } from './manifest.ts';

const root = join(import.meta.dirname, '..', '..');
const manifestPath = join(root, 'package.json');
/** What package.json is again when npm has packed. */
const keptPath = join(root, 'dist', 'package.json.kept');

/** Puts the published package.json in the place of the repository's, until it is restored. */
export async function usePublishedManifest(imported: ReadonlySet<string>): Promise<void> {
  const text = await readFile(manifestPath, 'utf8');
  const published = publishedManifest(JSON.parse(text) as Manifest, imported);
  await writeFile(keptPath, text);
  await replace(`${JSON.stringify(published, undefined, 2)}\n`);
}

/** Puts the repository's package.json back; also one that a pack left behind that did not end. */
export async function restoreManifest(): Promise<void> {
  const text = await readFile(keptPath, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  await replace(text);
  await rm(keptPath);
}

/** In two steps, so that whatever ends this leaves one or the other as a whole. */
async function replace(text: string): Promise<void> {
  await writeFile(`${manifestPath}.new`, text);
  await rename(`${manifestPath}.new`, manifestPath);
}
