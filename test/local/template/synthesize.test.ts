import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { synthesize } from '../../../src/local/template/synthesize.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const report = 'validation-report.json';

/** Synthesizes the CDK app without bundles of the models. */
async function appWith(context: object): Promise<{ files: string[]; template: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-app-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const json = JSON.stringify({ 'aws:cdk:bundling-stacks': [], ...context });
  await promisify(execFile)(process.execPath, [join(root, 'bin', 'app.ts')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      CDK_OUTDIR: folder,
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: json,
    },
  });
  const template = await readFile(join(folder, 'Milepost.template.json'), 'utf8');
  return { files: await readdir(folder), template };
}

it('the rules of cdk-nag are checked only for a deployment, and do not change the template', async () => {
  // Synthesize the service first, which builds the bundles of Milepost's functions that the app needs.
  const local = await synthesize({ PATH: process.env.PATH });
  expect(await readdir(local)).not.toContain(report);
  const [checked, unchecked] = [await appWith({}), await appWith({ nag: 'none' })];
  expect(checked.files).toContain(report);
  expect(unchecked.files).not.toContain(report);
  expect(unchecked.template).toBe(checked.template);
}, 60_000);

it('the `prepare` script, which `npm ci` runs, synthesizes the assembly that the first start uses', async () => {
  // Set an option that the app does not read so that this test uses a separate assembly.
  const env = { PATH: process.env.PATH, CDK_CONTEXT_JSON: JSON.stringify({ test: randomUUID() }) };
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'prepare.js')], { env });
  const prepared = await readdir(join(root, 'dist', 'assemblies'));
  const used = await synthesize(env);
  onTestFinished(() => rm(used, { recursive: true }));
  expect(prepared).toContain(basename(used));
}, 60_000);

it('a build replaces each bundle with a complete file, because other processes may be reading the bundle', async () => {
  await synthesize({ PATH: process.env.PATH });
  const bundles = join(root, 'dist', 'lambdas');
  const built = await readdir(bundles, { recursive: true });
  const changed = new Set<string>();
  const kinds = new Set<string>();
  for (const folder of await readdir(bundles)) {
    const watcher = watch(join(bundles, folder), (kind, file) => {
      kinds.add(kind);
      changed.add(join(folder, file!));
    });
    onTestFinished(() => watcher.close());
  }
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build.ts')]);
  await expect.poll(() => changed).toContain(join('api', 'index.mjs'));
  expect(built).toEqual(expect.arrayContaining([...changed]));
  // A file that was written in place would also cause an event of the kind `change`.
  expect([...kinds]).toEqual(['rename']);
}, 60_000);
