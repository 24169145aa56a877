import { glob, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { lambdaBuildOptions } from '../../src/local/bundling/lambda-build-options.ts';
import { pagesBuildOptions } from '../../src/local/bundling/pages-build-options.ts';
import { endpointOptions } from './endpoints.ts';
import { readLicense } from './read-license.ts';

const root = join(import.meta.dirname, '..', '..');

/** Writes the licenses of all bundled packages. @throws Error if a license is not permissive. */
export async function writeLicenses(path: string): Promise<void> {
  const lambdas = await Array.fromAsync(glob('lambdas/*.ts', { cwd: root }));
  const inputs = await Promise.all([
    inputsOf({ ...lambdaBuildOptions, entryPoints: lambdas }),
    inputsOf({ ...pagesBuildOptions }),
    inputsOf(endpointOptions),
  ]);
  const folders = inputs
    .flat()
    .map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  const packages = [...new Set(folders)].filter((folder) => folder !== undefined).toSorted();
  const licenses = await Promise.all(packages.map((folder) => readLicense(join(root, folder))));
  const sections = [...Map.groupBy(licenses, ({ text }) => text)].map(
    ([text, of]) => `${[...new Set(of.map(({ name }) => name))].join('\n')}\n\n${text}\n`,
  );
  const line = `\n${'-'.repeat(80)}\n`;
  await writeFile(
    path,
    ['The bundles of Milepost contain code from these packages:\n', ...sections].join(line),
  );
}

async function inputsOf(options: BuildOptions): Promise<string[]> {
  const bundling = { absWorkingDir: root, outdir: 'unused', write: false, metafile: true } as const;
  const { metafile } = await build({ ...options, ...bundling, logLevel: 'error' });
  return Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
}
