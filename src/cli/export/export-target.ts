import { open, rename, rm } from 'node:fs/promises';
import type { Output } from '../context.ts';

/** The destination of an export: standard output or a file. */
export interface ExportTarget {
  /** Writes text. Resolves when the destination accepts more (backpressure). */
  write(text: string): Promise<void>;
  /** Completes the export. A file gets its final name. */
  finish(): Promise<void>;
  /** Discards an incomplete export. A file is deleted. */
  abandon(): Promise<void>;
}

/** Exports to standard output, and waits while its buffer is full. */
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
 * Exports to a file, whose name ends in `.part` until the export is complete. Throws the system error if the file
 * cannot be written.
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
