import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Manifest, publishedManifest } from './manifest.ts';

const root = join(import.meta.dirname, '..', '..');
const manifestPath = join(root, 'package.json');
/** The backup of package.json, which is restored after packing. */
const keptPath = join(root, 'dist', 'package.json.kept');

/** Replaces package.json with the published version until `restoreManifest` is called. */
export async function usePublishedManifest(imported: ReadonlySet<string>): Promise<void> {
  const text = await readFile(manifestPath, 'utf8');
  const published = publishedManifest(JSON.parse(text) as Manifest, imported);
  await writeFile(keptPath, text);
  await replace(`${JSON.stringify(published, undefined, 2)}\n`);
}

/** Restores the repository's package.json, including after an interrupted pack. */
export async function restoreManifest(): Promise<void> {
  const text = await readFile(keptPath, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  await replace(text);
  await rm(keptPath);
}

/** Replaces the file atomically, so that an interruption never leaves a partial file. */
async function replace(text: string): Promise<void> {
  await writeFile(`${manifestPath}.new`, text);
  await rename(`${manifestPath}.new`, manifestPath);
}
