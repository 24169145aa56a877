import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolder } from '../common/create-folder.ts';
import { messageOf } from '../common/message-of.ts';

/**
 * Replaces a file atomically so that readers always see a complete file, even after a crash.
 *
 * @throws Error with the name of the file, which the system's error for a full disk does not contain.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    await writeFile(temporary, text).catch(async (error: unknown) => {
      if (!isMissingFolder(error)) throw error;
      await createFolder(dirname(path));
      await writeFile(temporary, text);
    });
    await rename(temporary, path);
  } catch (cause) {
    throw new Error(`cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

const isMissingFolder = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
