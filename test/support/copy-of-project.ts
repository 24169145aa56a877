import { execFile } from 'node:child_process';
import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shippedModels } from './readme.ts';

const root = join(import.meta.dirname, '..', '..');

/** Whether a file belongs to a model that is not shipped: one that a user has put into `models/`. */
const isOfUser = (file: string) => {
  const [, model] = /^models\/([^/]+)\//.exec(file) ?? [];
  return model !== undefined && !shippedModels.has(model);
};

/**
 * Copies the project's files, as they are now, to a folder of their own, which shares the project's
 * node_modules: to change them as a user would. Models of the user's own are left out.
 */
export async function copyOfProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'milepost-copy-'));
  const list = ['ls-files', '-co', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root });
  const listed = stdout
    .trim()
    .split('\n')
    .filter((file) => !isOfUser(file));
  // One that is deleted, and not yet committed so, is listed too.
  await Promise.all(listed.map((file) => cp(join(root, file), join(copy, file)).catch(() => {})));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
