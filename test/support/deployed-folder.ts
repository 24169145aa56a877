import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the tests' data folders. They are removed when all tests are done. */
    readonly folders: string;
  }
}

/**
 * A new data folder for a service in which the shipped models are already registered
 * (`prepare.ts`): on an empty one, most of the start is asking each model for its description.
 */
export async function deployedFolder(): Promise<string> {
  const folders = inject('folders');
  const folder = await mkdtemp(join(folders, 'data-'));
  await cp(join(folders, 'deployed'), folder, { recursive: true });
  return folder;
}
