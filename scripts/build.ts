import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

/*
 * Bundles each of our own Lambdas into dist/lambdas/<name>/index.mjs.
 */
const root = join(import.meta.dirname, '..');
const sources = join(root, 'lambdas');

const names = (await readdir(sources))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => basename(file, '.ts'));

const { outputFiles } = await build({
  entryPoints: names.map((name) => ({
    in: join(sources, `${name}.ts`),
    out: join(name, 'index'),
  })),
  outdir: join(root, 'dist', 'lambdas'),
  write: false,
  ...bundleOptions,
});

// Another build may run at the same time; a file is there as a whole or not at all.
for (const { path, contents } of outputFiles) {
  const fresh = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(fresh, contents);
  await rename(fresh, path);
}
