import { open, readlink, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../../common/message-of.ts';
import type { Output } from '../context.ts';

/** The destination of an export: standard output or a file. */
export interface ExportTarget {
  /** Writes text, and waits until the destination can accept more (backpressure). */
  write(text: string): Promise<void>;
  /** Completes the export. A regular file gets its final name. */
  finish(): Promise<void>;
  /** Discards an incomplete export. Deletes the `.part` file, if any; the file of an earlier export remains. */
  abandon(): Promise<void>;
}

/** Creates a target that writes to standard output, and waits while its buffer is full. */
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

/** The error thrown when an export cannot be written to its file. The message is one line and names the file. */
export class ExportTargetError extends Error {
  constructor(path: string, cause: unknown) {
    super(`cannot write ${path}: ${messageOf(cause)}`, { cause });
    this.name = 'ExportTargetError';
  }
}

/**
 * Creates a target that writes to a file. Until the export is complete, the name of a regular file ends in `.part`.
 * Devices and named pipes are written directly. The methods `write` and `finish` throw an `ExportTargetError` if the
 * file cannot be written.
 *
 * @throws ExportTargetError if the path is a folder, or if the file cannot be opened.
 */
export async function fileTarget(path: string): Promise<ExportTarget> {
  const orFail = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      throw new ExportTargetError(path, error);
    }
  };
  const existing = await orFail(stat(path).catch(undefinedIfMissing));
  if (existing?.isDirectory()) throw new ExportTargetError(path, 'it is a folder');
  const isRegular = existing?.isFile() ?? true;
  // A rename would replace a device, a pipe, or a symbolic link instead of writing to it.
  const target = isRegular ? await targetOf(path) : path;
  const part = isRegular ? `${target}.part` : target;
  const file = await orFail(open(part, 'w'));
  return {
    write: (text) => orFail(file.writeFile(text)),
    async finish() {
      if (isRegular) await orFail(file.sync());
      await orFail(file.close());
      if (isRegular) await orFail(rename(part, target));
    },
    async abandon() {
      await file.close();
      if (isRegular) await rm(part, { force: true });
    },
  };
}

/** Follows symbolic links, even if the file that they lead to does not exist yet. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(dirname(path), link));
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
