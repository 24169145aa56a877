import { execFile } from 'node:child_process';
import { cp, glob, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleEndpoints } from './endpoints.ts';
import { writeLicenses } from './licenses.ts';
import { writeLocalService } from './local-service.ts';

const root = join(import.meta.dirname, '..', '..');
const js = join(root, 'dist', 'js');

/** Builds everything that the package needs but the repository does not: JavaScript, types, bundles, pages. */
export async function buildPackage(): Promise<void> {
  await rm(js, { recursive: true, force: true });
  await runNode(join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.package.json');
  // Copy the files that the code reads or runs without importing them.
  for await (const file of glob('src/**/*.{bash,fish,py,zsh}', { cwd: root }))
    await cp(join(root, file), join(js, file));
  await bundleEndpoints(join(js, 'src', 'aws-local'));
  await rm(join(root, 'dist', 'lambdas'), { recursive: true, force: true });
  await runNode(join('scripts', 'build.ts'));
  await runNode(join('scripts', 'build-web.ts'));
  await writeLocalService(join(root, 'dist', 'local', 'service.json'));
  await writeLicenses(join(root, 'dist', 'THIRD-PARTY-LICENSES.txt'));
}

/** Runs a script, whose output is printed only if the script fails. */
async function runNode(...args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
