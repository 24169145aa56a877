import { glob, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from '../bundle-options.ts';
import { webOptions } from '../web-options.ts';
import { endpointOptions } from './endpoints.ts';

const root = join(import.meta.dirname, '..', '..');

/** Writes down whose packages are in the bundles, and on what terms, as these terms want it. */
export async function writeLicenses(path: string): Promise<void> {
  const lambdas = await Array.fromAsync(glob('lambdas/*.ts', { cwd: root }));
  const inputs = await Promise.all([
    inputsOf({ ...bundleOptions, entryPoints: lambdas }),
    inputsOf({ ...webOptions }),
    inputsOf(endpointOptions),
  ]);
  const folders = inputs
    .flat()
    .map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  const packages = [...new Set(folders)].filter((folder) => folder !== undefined).toSorted();
  const licenses = await Promise.all(packages.map((folder) => licenseOf(join(root, folder))));
  const sections = [...Map.groupBy(licenses, ({ text }) => text)].map(
    ([text, of]) => `${of.map(({ name }) => name).join('\n')}\n\n${text}\n`,
  );
  const line = `\n${'-'.repeat(80)}\n`;
  await writeFile(path, ['What is bundled has in it:\n', ...sections].join(line));
}

async function inputsOf(options: BuildOptions): Promise<string[]> {
  const bundling = { absWorkingDir: root, outdir: 'unused', write: false, metafile: true } as const;
  const { metafile } = await build({ ...options, ...bundling, logLevel: 'error' });
  return Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
}

async function licenseOf(folder: string): Promise<{ name: string; text: string }> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name?: string;
    version?: string;
    license?: string | { type: string };
  };
  const { name, version, license = '' } = manifest;
  const file = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file ? (await readFile(join(folder, file), 'utf8')).trim() : '';
  const kind = typeof license === 'string' ? license : license.type;
  return { name: `${name} ${version}, ${kind}`, text };
}
