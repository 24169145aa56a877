import { execFile } from 'node:child_process';
import { access, copyFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** A copy of the repository without caches, as after `git clone` and `npm ci`. Deleted when disposed. */
export interface Checkout extends AsyncDisposable {
  readonly folder: string;
  /** A folder for temporary files, which contains the compile cache of Node.js. */
  readonly temporary: string;
  /** A copy of the Node.js binary so that only the measured processes share its memory pages. */
  readonly node: string;
}

/**
 * Copies the files of the repository that Git does not ignore, links the installed packages, and runs the last step of
 * `npm ci`.
 */
export async function createCheckout(): Promise<Checkout> {
  const temporary = await mkdtemp(join(tmpdir(), 'milepost-start-'));
  const folder = join(temporary, 'milepost');
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  // A deleted file is listed until the deletion is committed.
  for (const file of stdout.split('\0').filter(Boolean))
    await cp(join(root, file), join(folder, file)).catch(() => undefined);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const node = join(temporary, 'node');
  await copyFile(process.execPath, node);
  await run(node, [join('scripts', 'prepare.js')], { cwd: folder });
  await access(join(folder, 'dist', 'assemblies'));
  return {
    folder,
    temporary,
    node,
    [Symbol.asyncDispose]: () => rm(temporary, { recursive: true, force: true }),
  };
}
