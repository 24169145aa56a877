import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** How long a service that is just ending may hold on to its folder, in milliseconds. */
const lockTimeoutMs = 1_000;
/** https://www.sqlite.org/rescode.html#busy */
const busyErrorCode = 5;

/**
 * Takes the lock of a data folder, which one process at a time can have. It is a lock of the operating system on an
 * empty SQLite database, so it ends with its process, however that ends.
 *
 * @returns what gives the lock back; undefined if another process has it.
 */
export function lockFolder(folder: string): Disposable | undefined {
  const database = new DatabaseSync(join(folder, 'lock'), { timeout: lockTimeoutMs });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === busyErrorCode) return undefined;
    throw error;
  }
}
