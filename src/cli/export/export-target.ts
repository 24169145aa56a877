import { open, rename, rm } from 'node:fs/promises';
import type { Output } from '../context.ts';

/** Where an export goes to, line by line. */
export interface ExportTarget {
  /** Resolves when more can be written: nothing piles up here. */
  write(text: string): Promise<void>;
  /** What was written is all there is. */
  finish(): Promise<void>;
  /** It ended early. */
  abandon(): Promise<void>;
}

/** Standard output. */
export function outputTarget(output: Output): ExportTarget {
  return {
    async write(text) {
      if (output.write(text) !== false || !output.once) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      output.once('drain', resolve);
      await promise;
    },
    finish: () => Promise.resolve(),
    abandon: () => Promise.resolve(),
  };
}

/**
 * A file, which has its name only when it is whole; till then it ends in `.part`. Throws the system's
 * error where it cannot be written.
 */
export async function fileTarget(path: string): Promise<ExportTarget> {
  const part = `${path}.part`;
  const file = await open(part, 'w');
  return {
    write: async (text) => void (await file.write(text)),
    async finish() {
      await file.sync();
      await file.close();
      await rename(part, path);
    },
    async abandon() {
      await file.close();
      await rm(part, { force: true });
    },
  };
}
