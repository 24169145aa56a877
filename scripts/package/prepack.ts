import { join } from 'node:path';
import { buildPackage } from './build.ts';
import { importedPackages } from './imported-packages.ts';
import { restoreManifest, usePublishedManifest } from './kept-manifest.ts';

/* Runs before npm packs the package: builds the package, and then replaces package.json. */
const js = join(import.meta.dirname, '..', '..', 'dist', 'js');

await restoreManifest();
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
await usePublishedManifest(await importedPackages(entries.map((entry) => join(js, entry))));
