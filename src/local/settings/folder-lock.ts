import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** How long to wait for another service to release the folder, in milliseconds. */
const lockTimeoutMs = 1_000;
/** @see https://www.sqlite.org/rescode.html#busy */
const busyErrorCode = 5;

/**
 * Locks a data folder. Only one process at a time can hold the lock, an operating system lock on an empty SQLite
 * database. The lock is released when the process exits, even after a crash.
 *
 * @returns a disposable that releases the lock, or undefined if another process holds the lock.
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
