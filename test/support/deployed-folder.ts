import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' data folders are. They are removed when all tests are done. */
    readonly folders: string;
  }
}

/**
 * A new data folder to start a service on in which the shipped models are registered already
 * (`prepare.ts`): most of what a start does on an empty one is to ask each of them who it is.
 */
export async function deployedFolder(): Promise<string> {
  const folders = inject('folders');
  const folder = await mkdtemp(join(folders, 'data-'));
  await cp(join(folders, 'deployed'), folder, { recursive: true });
  return folder;
}
