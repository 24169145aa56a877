import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import cdk from '../../../../cdk.json' with { type: 'json' };
import manifest from '../../../../package.json' with { type: 'json' };
import { dependencyFor } from '../../../../src/cli/milepost-dependency.ts';
import { createProject, ProjectError } from '../../../../src/cli/new-project.ts';
import { packageFolder } from '../../../../src/package-folder.ts';
import { shownFiles } from '../../../support/docs/readme.ts';
import { run } from '../../run.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-init-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (path: string) => readFile(join(folder, path), 'utf8');

describe('createProject', () => {
  it('creates a model, a test, a CDK app, and the files that they need', async () => {
    const project = join(folder, 'My Parcels');
    await createProject(project, '^1.2.3');
    const files = await readdir(project, { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining([
        '.gitignore',
        'README.md',
        'bin/app.ts',
        'cdk.json',
        'models/parcel/lambda.ts',
        'models/parcel/model.ts',
        'package.json',
        'test/parcel.test.ts',
        'tsconfig.json',
      ]),
    );
    expect(files).not.toContain('package.template.json');
    const made = JSON.parse(await read('My Parcels/package.json')) as typeof manifest;
    expect(made).toMatchObject({ name: 'my-parcels', dependencies: { milepost: '^1.2.3' } });
  });

  it('uses the tested versions and settings, and the model from the README', async () => {
    await createProject(folder, '*');
    const { dependencies, devDependencies } = JSON.parse(await read('package.json')) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    const tested: Record<string, string> = {
      ...manifest.devDependencies,
      ...manifest.dependencies,
    };
    expect({ ...tested, milepost: '*' }).toMatchObject({ ...dependencies, ...devDependencies });
    expect(JSON.parse(await read('cdk.json'))).toMatchObject({ context: cdk.context });
    const shown = Object.fromEntries(shownFiles.map(({ path, content }) => [path, content]));
    for (const path of ['models/parcel/model.ts', 'models/parcel/lambda.ts'])
      expect(await read(path)).toBe(shown[path]);
  });

  it('has the stack outputs that the runbooks read', async () => {
    await createProject(folder, '*');
    const outputs = /^output\(.+$/gm;
    const app = await readFile(join(packageFolder, 'bin', 'app.ts'), 'utf8');
    expect((await read('bin/app.ts')).match(outputs)).toEqual(app.match(outputs));
    const runbook = await readFile(
      join(packageFolder, 'docs', 'how-to', 'respond-to-alarms.md'),
      'utf8',
    );
    for (const [, name] of runbook.matchAll(/\$\(output (\w+)\)/g))
      expect(app).toContain(`output('${name}', `);
  });

  it('writes nothing if a file already exists', async () => {
    await mkdir(join(folder, 'test'));
    await writeFile(join(folder, 'test', 'parcel.test.ts'), 'mine');
    await expect(createProject(folder, '*')).rejects.toThrow(ProjectError);
    expect(await read('test/parcel.test.ts')).toBe('mine');
    expect(await readdir(folder)).toEqual(['test']);
  });

  it('leaves no file if it cannot write every file, so that the user can try again', async () => {
    await writeFile(join(folder, 'test'), 'a file in place of a folder');
    await expect(createProject(folder, '*')).rejects.toThrow(ProjectError);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(entries.filter((each) => each.isFile()).map(({ name }) => name)).toEqual(['test']);
    await rm(join(folder, 'test'));
    await createProject(folder, '*');
  });
});

describe('milepost init', () => {
  it('rejects an empty --milepost as a usage error', async () => {
    const { status, stderr } = await run(['init', folder, '--milepost', '']);
    expect(status).toBe(2);
    expect(stderr).toContain('It must not be empty');
    expect(await readdir(folder)).toEqual([]);
  });

  it('prints the command to run next, with shell quoting', async () => {
    const project = join(folder, 'My Parcels');
    const { status, stdout } = await run(['init', project, '--milepost', '*']);
    expect([status, stdout.split('\n')[0]]).toEqual([0, `cd '${project}' && npm install`]);
  });

  it('prints a one-line error and exits with 1 if the folder cannot be created', async () => {
    const file = join(folder, 'notes.txt');
    await writeFile(file, 'mine');
    for (const project of [file, join(file, 'parcels')]) {
      const { status, stderr } = await run(['init', project, '--milepost', '*']);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error: cannot write to .*: E[A-Z]+: .*; choose another folder\n$/);
    }
  });
});

describe('dependencyFor in a checkout of the repository', () => {
  const packed = join(packageFolder, 'milepost-0.0.0-test.tgz');
  afterEach(() => rm(packed, { force: true }));

  it('returns the package file that npm pack created', async () => {
    await writeFile(packed, '');
    const [, path = ''] = /^file:(.*)$/.exec(await dependencyFor(folder, '0.0.0-test')) ?? [];
    expect(resolve(folder, path)).toBe(packed);
  });

  it('suggests npm pack if the package file does not exist', async () => {
    const refused = dependencyFor(folder, '0.0.0-test');
    await expect(refused).rejects.toThrow(ProjectError);
    await expect(refused).rejects.toThrow(
      /^milepost-0\.0\.0-test\.tgz does not exist; run npm pack/,
    );
  });
});
