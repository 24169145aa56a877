import { execFile, spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** A folder outside of version control that `npm ci` recreates together with the packages. */
const cache = join(import.meta.dirname, '../../node_modules/.cache');
const suffices = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';

/** Reports whether this machine has Python 3.10 or later that can create virtual environments. */
export const hasPython = (): boolean => spawnSync('python3', ['-c', suffices]).status === 0;

/**
 * Creates a virtual environment if it is missing or its requirements have changed. Returns the folder of its programs.
 *
 * @param name the purpose, which also names the folder
 * @param wanted the path of its requirements.txt
 */
export async function virtualEnvironment(name: string, wanted: string): Promise<string> {
  const folder = join(cache, `milepost-${name.toLowerCase()}`);
  const programs = join(folder, 'bin');
  // This file is written last, so if it exists, the installation is complete.
  const installed = join(folder, 'requirements.txt');
  const requirements = await readFile(wanted, 'utf8');
  const present = await readFile(installed, 'utf8').catch(() => undefined);
  if (present === requirements) return programs;
  await rm(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]).catch((cause: unknown) => {
    throw new Error(`${name} requires Python 3.10 or later as python3, with venv and pip`, {
      cause,
    });
  });
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await run(join(programs, 'python'), ['-m', 'pip', 'install', ...quietly, '-r', wanted]);
  await writeFile(installed, requirements);
  return programs;
}
