import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** The backups of files that are replaced for packing. */
const kept = join(root, 'dist', 'kept');

/** Replaces a file of the repository with the text that is published, until `restoreFiles` is called. */
export async function replaceForPacking(path: string, text: string): Promise<void> {
  const backup = join(kept, path);
  await mkdir(dirname(backup), { recursive: true });
  await writeAtomically(backup, await readFile(join(root, path), 'utf8'));
  await writeAtomically(join(root, path), text);
}

/** Restores the replaced files, including after an interrupted pack. */
export async function restoreFiles(): Promise<void> {
  for await (const path of glob('**/*.{json,md}', { cwd: kept }))
    await rename(join(kept, path), join(root, path));
  await rm(kept, { recursive: true, force: true });
}

/** Writes a file, so that an interruption never leaves a partial file. */
async function writeAtomically(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
