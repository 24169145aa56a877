import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Task = () => unknown;

const tasks: Task[] = [];

/**
 * Runs a task after the tests of the current file. An `afterAll` in a module that several test files import would run
 * only after the first of these files, because the files share their modules.
 */
export function afterFile(task: Task): void {
  tasks.push(task);
}

/** Runs the tasks, latest first. */
export async function runAfterFile(): Promise<void> {
  for (const task of tasks.splice(0).toReversed()) await task();
}

/**
 * Creates a folder in the operating system's temporary folder. The new folder is removed after the tests of the current
 * file.
 */
export async function folderForFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-test-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
