import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const wanted = join(import.meta.dirname, 'requirements.txt');
/** Belongs to no commit, and goes with the packages that `npm ci` makes anew. */
const folder = join(import.meta.dirname, '../../../node_modules/.cache/milepost-ministack');
const python = join(folder, 'bin', 'python');
/** Written last: what was installed as a whole. */
const installed = join(folder, 'requirements.txt');

/** The Python of a virtual environment that has MiniStack, which is made where it is missing. */
export async function pythonWithMiniStack(): Promise<string> {
  const requirements = await readFile(wanted, 'utf8');
  const present = await readFile(installed, 'utf8').catch(() => undefined);
  if (present === requirements) return python;
  await rm(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]).catch((cause: unknown) => {
    throw new Error('MiniStack needs Python 3.10 or later as python3, with venv and pip', {
      cause,
    });
  });
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await run(python, ['-m', 'pip', 'install', ...quietly, '-r', wanted]);
  await writeFile(installed, requirements);
  return python;
}
