import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isPackage, packageFolder } from '../package-folder.ts';
import { ProjectError } from './new-project.ts';

/**
 * Returns the specifier of the running Milepost as a dependency of a project. In Milepost's repository, the specifier
 * is the file that `npm pack` created. In an installed package, it is the file that the package was installed from or,
 * if the package came from a registry, a version range.
 *
 * @throws ProjectError in Milepost's repository if `npm pack` has not created the file.
 */
export async function dependencyFor(folder: string, version: string): Promise<string> {
  const file = isPackage ? await installedFrom() : packedHere(version);
  if (file === undefined) return `^${version}`;
  return `file:${relative(resolve(folder), file).split(sep).join('/')}`;
}

/** Returns the file that the package was installed from, or undefined if it was installed from a registry. */
async function installedFrom(): Promise<string | undefined> {
  const installed = dirname(packageFolder);
  const text = await readFile(join(installed, '.package-lock.json'), 'utf8').catch(() => '{}');
  const { packages = {} } = JSON.parse(text) as InstalledPackages;
  const from = packages['node_modules/milepost']?.resolved ?? '';
  if (!from.startsWith('file:')) return undefined;
  return resolve(dirname(installed), decodeURI(from.slice('file:'.length)));
}

function packedHere(version: string): string {
  const file = join(packageFolder, `milepost-${version}.tgz`);
  if (existsSync(file)) return file;
  throw new ProjectError(
    `${basename(file)} does not exist; run npm pack in ${packageFolder} first, because Milepost is not published yet`,
  );
}

interface InstalledPackages {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
}
