import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildFailure } from 'esbuild';

/**
 * Imports a TypeScript or JavaScript file, bundled with its imports as for a deployment. Without the bundle, Node.js
 * could not load files that a deployment and `milepost local` accept, such as files with enums, or with imports without
 * an extension. Stack traces contain the positions in the original files.
 *
 * @param path the absolute path of the file.
 * @throws Error with the position of the first mistake if the file does not compile.
 */
export async function importBundled(path: string): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-bundle-'));
  try {
    const file = join(folder, 'model.mjs');
    await bundle(path, file);
    process.setSourceMapsEnabled(true);
    return (await import(pathToFileURL(file).href)) as object;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundle(path: string, outfile: string): Promise<void> {
  // Load esbuild only here because no other part of the CLI needs it.
  const { build } = await import('esbuild');
  try {
    await build({
      entryPoints: [path],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      // The sketches library needs protobufjs only to serialize sketches to bytes, which models never do.
      external: ['protobufjs/*'],
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
    });
  } catch (error) {
    const [first] = (error as Partial<BuildFailure>).errors ?? [];
    if (first === undefined) throw error;
    const { location, text } = first;
    const place = location ? `${location.file}:${location.line}:${location.column + 1}: ` : '';
    throw new Error(`${place}${text}`, { cause: error });
  }
}
