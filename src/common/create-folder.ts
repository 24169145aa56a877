import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parent folders. This function does not use the `recursive` option of Node.js, which
 * never returns for a path such as `/proc/x`, whose parent exists but reports new entries as missing.
 */
export async function createFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await createFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
