import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from './build.ts';
import { importedPackages } from './imported-packages.ts';
import { replaceForPacking, restoreFiles } from './kept-files.ts';
import { type Manifest, publishedManifest } from './manifest.ts';
import { withoutDeadLinks } from './packed-pages.ts';

/*
 * Runs before npm packs the package: builds the package, and then replaces package.json and the pages that contain dead
 * links.
 */
const root = join(import.meta.dirname, '..', '..');
const js = join(root, 'dist', 'js');

await restoreFiles();
await buildPackage();
const entries = [
  'bin/milepost.js',
  'bin/command.js',
  'lib/index.js',
  'index.js',
  'src/aws-local/dynamodb/dynalite-process.cjs',
  'src/aws-local/kinesis/kinesalite-process.cjs',
  'src/aws-local/lambda/environment/environment-runtime.js',
  'src/testing/index.js',
  'src/xstate/index.js',
];
const imported = await importedPackages(entries.map((entry) => join(js, entry)));
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
await replaceForPacking(
  'package.json',
  `${JSON.stringify(publishedManifest(manifest, imported), undefined, 2)}\n`,
);
const packed = await packedFiles();
for (const page of packed.filter((path) => path.endsWith('.md'))) {
  const text = await readFile(join(root, page), 'utf8');
  const published = withoutDeadLinks(text, page, packed);
  if (published !== text) await replaceForPacking(page, published);
}

/** Returns the paths of the files that npm packs. */
async function packedFiles(): Promise<string[]> {
  const argv = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const options = { cwd: root, maxBuffer: Infinity, shell: process.platform === 'win32' };
  const { stdout } = await promisify(execFile)('npm', argv, options);
  const [summary] = JSON.parse(stdout) as { files: { path: string }[] }[];
  return summary!.files.map(({ path }) => path);
}
