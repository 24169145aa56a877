import { execFile, spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Belongs to no commit, and goes with the packages that `npm ci` makes anew. */
const cache = join(import.meta.dirname, '../../node_modules/.cache');
const suffices = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';

/** Whether this machine has a Python that virtual environments can be made with. */
export const hasPython = (): boolean => spawnSync('python3', ['-c', suffices]).status === 0;

/**
 * The folder of programs of a virtual environment, which is made where it is missing.
 *
 * @param name of what it is for, which names its folder too.
 * @param wanted the path of its requirements.txt.
 */
export async function virtualEnvironment(name: string, wanted: string): Promise<string> {
  const folder = join(cache, `milepost-${name.toLowerCase()}`);
  const programs = join(folder, 'bin');
  // Written last: what was installed as a whole.
  const installed = join(folder, 'requirements.txt');
  const requirements = await readFile(wanted, 'utf8');
  const present = await readFile(installed, 'utf8').catch(() => undefined);
  if (present === requirements) return programs;
  await rm(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]).catch((cause: unknown) => {
    throw new Error(`${name} needs Python 3.10 or later as python3, with venv and pip`, { cause });
  });
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await run(join(programs, 'python'), ['-m', 'pip', 'install', ...quietly, '-r', wanted]);
  await writeFile(installed, requirements);
  return programs;
}
