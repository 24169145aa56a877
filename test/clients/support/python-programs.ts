import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../support/docs/markdown.ts';
import { findToolchain, isAtLeast } from './toolchain.ts';

const run = promisify(execFile);

/** Version 1 of the AWS CLI, and the CloudEvents SDK, from PyPI. */
const otherPackages = ['awscli==1.46.3', 'cloudevents==2.2.0'];
const requirements = join(root, 'examples', 'send-events', 'python', 'requirements.txt');

/** The Python that creates virtual environments. */
export const python = await findToolchain(
  'Python 3.10 or later with venv and pip',
  ['python3', '-c', 'import ensurepip, sys, venv; print(sys.version)'],
  (output) => isAtLeast(output, 3, 10),
);

const packages = [...(await readFile(requirements, 'utf8')).trim().split('\n'), ...otherPackages];
const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const name = hash('sha256', packages.join('\n')).slice(0, 16);
const folder = join(caches, 'milepost', 'clients', name);
/** A file that is written last. If it exists, the installation is complete. */
const installed = join(folder, 'installed');

/** The folder that contains version 1 of `aws`, and `python` with the AWS SDK. */
export const pythonPrograms = join(folder, 'bin');

/**
 * Creates the virtual environment in the user's cache unless it exists. Tests start when the environment is complete.
 */
export async function setup(): Promise<void> {
  if (!python.isThere) return;
  const isInstalled = await access(installed).then(
    () => true,
    () => false,
  );
  if (isInstalled) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run('python3', ['-m', 'venv', folder]);
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await run(join(pythonPrograms, 'python'), ['-m', 'pip', 'install', ...quietly, ...packages]);
  await writeFile(installed, '');
}
