import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The parent folder of the tests' data folders. It is removed after all tests. */
    readonly folders: string;
  }
}

/**
 * Creates a data folder in which the shipped models are already registered (`prepare.ts`). With an empty folder, a
 * start spends most of its time on requests for the descriptions of the models.
 */
export async function deployedFolder(): Promise<string> {
  const folders = inject('folders');
  const folder = await mkdtemp(join(folders, 'data-'));
  await cp(join(folders, 'deployed'), folder, { recursive: true });
  return folder;
}
