import { constants, existsSync } from 'node:fs';
import { copyFile, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createFolder } from '../common/create-folder.ts';
import { messageOf } from '../common/message-of.ts';
import { packageFolder } from '../package-folder.ts';

const templates = join(packageFolder, 'create-milepost', 'templates', 'project');

/**
 * The names of template files that are renamed in the project. In this repository, the files have other names, because
 * npm and the repository's tools treat files with the real names specially.
 */
const realNames: Readonly<Record<string, string>> = {
  gitignore: '.gitignore',
  'package.template.json': 'package.json',
  'tsconfig.template.json': 'tsconfig.json',
};

/** The error thrown when a project cannot be created. The message explains the reason in one line. */
export class ProjectError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProjectError';
  }
}

/**
 * Creates a project with a model, its test, and a CDK app.
 *
 * @param milepost the version of the Milepost dependency: a version range or a `file:` path.
 * @throws ProjectError if one of the project's files already exists or cannot be written. In this case, no new files
 *   remain, so the user can try again.
 */
export async function createProject(folder: string, milepost: string): Promise<void> {
  const files = await Array.fromAsync(glob('**/*.*', { cwd: templates }));
  const copies = [...files, 'gitignore'].toSorted().map((path) => ({
    from: join(templates, path),
    to: join(folder, realNames[path] ?? path),
  }));
  for (const { to } of copies)
    if (existsSync(to)) throw new ProjectError(`${to} already exists; choose another folder`);
  const written: string[] = [];
  try {
    for (const { from, to } of copies) {
      written.push(to);
      await createFolder(dirname(to));
      if (basename(to) === 'package.json') await writeManifest(from, to, milepost);
      else await copyFile(from, to, constants.COPYFILE_EXCL);
    }
  } catch (error) {
    // Keep a file that another program created in the meantime.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') written.pop();
    for (const path of written) await rm(path, { force: true });
    throw new ProjectError(`cannot write to ${folder}: ${messageOf(error)}; choose another folder`);
  }
}

async function writeManifest(from: string, to: string, milepost: string): Promise<void> {
  const { dependencies, ...template } = JSON.parse(await readFile(from, 'utf8')) as Template;
  const manifest = {
    name: nameOf(dirname(to)),
    ...template,
    dependencies: { milepost, ...dependencies },
  };
  await writeFile(to, `${JSON.stringify(manifest, undefined, 2)}\n`, { flag: 'wx' });
}

interface Template {
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Derives a package name from the name of a folder. */
function nameOf(folder: string): string {
  const name = basename(resolve(folder)).toLowerCase();
  return name.replaceAll(/[^a-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'processes';
}
