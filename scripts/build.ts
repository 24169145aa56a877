import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { lambdaBuildOptions } from '../src/local/bundling/lambda-build-options.ts';
import { statusElementBuildOptions } from '../src/local/bundling/status-element-build-options.ts';

/*
 * Bundles each of Milepost's own Lambda functions into dist/lambdas/<name>/index.mjs, and the module of
 * <milepost-status> next to the function that serves it.
 */
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
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
    outdir: join(dist, 'lambdas'),
    ...lambdaBuildOptions,
    ...options,
    write: false,
  });

// The registrar must load even on an older Node.js, to report an unsupported version to CloudFormation. If the
// registrar failed to load, CloudFormation would wait until its own timeout and report no reason.
const results = await Promise.all([
  bundle(names.filter((name) => name !== 'registrar')),
  bundle(['registrar'], { banner: {} }),
  build({ ...statusElementBuildOptions, absWorkingDir: root, write: false }),
]);
const outputFiles = results.flatMap((result) => result.outputFiles);

// Another build may run concurrently, so replace each file atomically. Write new files outside dist/lambdas, because a
// CDK app in another process may be reading all files in the folders there.
await mkdir(dist, { recursive: true });
const fresh = await mkdtemp(join(dist, '.fresh-'));
try {
  for (const [index, { path, contents }] of outputFiles.entries()) {
    const file = join(fresh, String(index));
    await writeFile(file, contents);
    await mkdir(dirname(path), { recursive: true });
    await rename(file, path);
  }
} finally {
  await rm(fresh, { recursive: true });
}
