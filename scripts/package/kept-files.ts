import { glob, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../src/aws-local/replace-file.ts';

const root = join(import.meta.dirname, '..', '..');
/** The folder with the backups of files that are replaced for packing. */
const kept = join(root, 'dist', 'kept');

/** Replaces a file of the repository with the text that is published, until `restoreFiles` is called. */
export async function replaceForPacking(path: string, text: string): Promise<void> {
  await replaceFile(join(kept, path), await readFile(join(root, path), 'utf8'));
  await replaceFile(join(root, path), text);
}

/** Restores the replaced files. */
export async function restoreFiles(): Promise<void> {
  for await (const path of glob('**/*.{json,md}', { cwd: kept }))
    await rename(join(kept, path), join(root, path));
  await rm(kept, { recursive: true, force: true });
}
