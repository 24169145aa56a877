import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { lambdaBuildOptions } from '../src/local/bundling/lambda-build-options.ts';
import { statusElementBuildOptions } from '../src/local/bundling/status-element-build-options.ts';

/*
 * Bundles each of Milepost's own Lambda functions into dist/lambdas/<name>/index.mjs, and the module of <milepost-status>
 * next to the function that serves it.
 */
const root = join(import.meta.dirname, '..');
const sources = join(root, 'lambdas');

const names = (await readdir(sources))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => basename(file, '.ts'));

const bundle = (lambdas: readonly string[], options: BuildOptions = {}) =>
  build({
    entryPoints: lambdas.map((name) => ({
      in: join(sources, `${name}.ts`),
      out: join(name, 'index'),
    })),
    outdir: join(root, 'dist', 'lambdas'),
    ...lambdaBuildOptions,
    ...options,
    write: false,
  });

// The registrar must load even on an older Node.js, to report an unsupported version to CloudFormation. If it failed to
// load, CloudFormation would wait until its timeout and report no reason.
const results = await Promise.all([
  bundle(names.filter((name) => name !== 'registrar')),
  bundle(['registrar'], { banner: {} }),
  build({ ...statusElementBuildOptions, absWorkingDir: root, write: false }),
]);
const outputFiles = results.flatMap((result) => result.outputFiles);

// Another build may run concurrently, so replace each file atomically.
for (const { path, contents } of outputFiles) {
  const fresh = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(fresh, contents);
  await rename(fresh, path);
}
