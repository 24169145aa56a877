import { hash } from 'node:crypto';
import { glob, rm } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import {
  type BuildFailure,
  type BuildOptions,
  build,
  type Message,
  type OutputFile,
} from 'esbuild';
import { replaceFile } from '../../aws-local/replace-file.ts';
import { StartError } from '../../aws-local/server/start-error.ts';
import { lambdaBuildOptions } from '../bundling/lambda-build-options.ts';
import type { ModelSource } from './find-models.ts';
import type { BundledModel } from './with-models.ts';

/**
 * esbuild options for a model. The bundle has the same content as in the construct `Model`. The source map is a
 * separate file, which is read only when the model fails.
 */
export function modelBuildOptions(entry: string): BuildOptions & { write: false } {
  return {
    ...lambdaBuildOptions,
    absWorkingDir: projectOf(entry),
    entryPoints: [resolve(entry)],
    outfile: 'index.mjs',
    external: ['protobufjs/*'],
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
    write: false,
  };
}

/**
 * Returns the folder to which paths in messages are relative: the working folder or, for a model outside the working
 * folder, the folder that contains the models folder.
 */
function projectOf(entry: string): string {
  const isInside = !relative(process.cwd(), entry).startsWith('..');
  return isInside ? process.cwd() : resolve(entry, '../../..');
}

/**
 * Bundles the Lambda function of a model.
 *
 * @param bundles the folder for all bundles.
 * @throws StartError with the location of the first error.
 */
export async function bundleModel(model: ModelSource, bundles: string): Promise<BundledModel> {
  try {
    const { outputFiles } = await build(modelBuildOptions(model.entry));
    return await writeBundle(model.id, outputFiles, bundles);
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (errors === undefined) throw error;
    throw new StartError(buildErrorMessage(model, errors), { cause: error });
  }
}

/**
 * Writes a bundle to a folder whose name is a hash of the content so that existing bundles stay unchanged.
 *
 * @param files the code and its source map.
 */
export async function writeBundle(
  id: string,
  files: readonly Pick<OutputFile, 'path' | 'text'>[],
  bundles: string,
): Promise<BundledModel> {
  const digest = hash('sha256', JSON.stringify(files.map(({ text }) => text)));
  const codePath = join(bundles, id, digest.slice(0, 16));
  for (const { path, text } of files) await replaceFile(join(codePath, basename(path)), text);
  return { id, codePath };
}

/** Matches the name of a bundle's folder: the start of a hash. */
const bundleName = /^[0-9a-f]{16}$/;

/**
 * Removes every bundle that is not in `used`. During a run, a bundle is added whenever a model is saved. Other files
 * remain, because the folder can also belong to the user.
 */
export async function removeOtherBundles(
  bundles: string,
  used: ReadonlySet<string>,
): Promise<void> {
  for await (const path of glob('*/*', { cwd: bundles })) {
    const folder = join(bundles, path);
    if (bundleName.test(basename(path)) && !used.has(folder))
      await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the reason why a model could not be bundled, in one line. */
export function buildErrorMessage({ id, entry }: ModelSource, errors: readonly Message[]): string {
  const [first, ...others] = errors;
  const { file, line, column } = first?.location ?? { file: entry, line: 0, column: 0 };
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  const place = line > 0 ? `${file}:${line}:${column + 1}` : file;
  return `the model ${id} does not compile: ${place}: ${first?.text ?? 'it has errors'}${more}`;
}
