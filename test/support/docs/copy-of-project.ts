import { execFile } from 'node:child_process';
import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shippedModels } from './readme.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Reports whether a file belongs to a model that a user added to `models/`. */
const isOfUser = (file: string) => {
  const [, model] = /^models\/([^/]+)\//.exec(file) ?? [];
  return model !== undefined && !shippedModels.has(model);
};

/**
 * Copies the project's current files, without models that a user added, to a new folder that shares its node_modules.
 * Tests can change the copy as a user would change the project.
 */
export async function copyOfProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'milepost-copy-'));
  const list = ['ls-files', '-co', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root });
  const listed = stdout
    .trim()
    .split('\n')
    .filter((file) => !isOfUser(file));
  // Skip deleted files, which Git lists until the deletion is committed.
  await Promise.all(listed.map((file) => cp(join(root, file), join(copy, file)).catch(() => {})));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
