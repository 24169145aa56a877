import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/*
 * Bundles each of our own Lambdas into dist/lambdas/<name>/index.mjs, the AWS SDK included: the
 * version that was tested is the one that runs, and only what is used is loaded at a cold start.
 */
const root = join(import.meta.dirname, '..');
const sources = join(root, 'lambdas');
const target = join(root, 'dist', 'lambdas');

const names = (await readdir(sources))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => basename(file, '.ts'));

await rm(target, { recursive: true, force: true });
await build({
  entryPoints: names.map((name) => ({
    in: join(sources, `${name}.ts`),
    out: join(name, 'index'),
  })),
  outdir: target,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // The SDK's ES modules, which unlike its CommonJS can be tree-shaken.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
});
