import { execFile } from 'node:child_process';
import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

/**
 * Copies the project's files, as they are now, to a folder of their own, which shares the project's
 * node_modules: to change them as a user would.
 */
export async function copyOfProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'milepost-copy-'));
  const list = ['ls-files', '-co', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root });
  const listed = stdout.trim().split('\n');
  // One that is deleted, and not yet committed so, is listed too.
  await Promise.all(listed.map((file) => cp(join(root, file), join(copy, file)).catch(() => {})));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
