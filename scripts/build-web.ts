import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pagesBuildOptions } from '../src/local/bundling/pages-build-options.ts';
import { bundlePages } from '../src/local/pages/bundle-pages.ts';

/*
 * Bundles the web pages into dist/web and prints the size of each file.
 */
const folder = join(import.meta.dirname, '..', pagesBuildOptions.outdir);
await rm(folder, { recursive: true, force: true });
for (const [path, { body, gzipped }] of await bundlePages()) {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, body);
  console.log(`${path}  ${body.length} bytes, ${gzipped.length} with gzip`);
}
