import { hash } from 'node:crypto';
import { cp, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isPackage, packageFolder } from '../../package-folder.ts';
import { bundleModel } from './bundle-model.ts';
import type { ModelSource } from './find-models.ts';
import type { BundledModel } from './with-models.ts';

/** Returns true if a model is a Python function. See docs/reference/model-function-protocol.md. */
export const isPython = ({ entry }: ModelSource): boolean => entry.endsWith('.py');

/**
 * Copies the code of a model in Python to a folder whose name is a hash of the content.
 *
 * @param host the folder with the bundle of the Lambda function that calls the model: see `modelHostIn`.
 */
export async function bundlePython(
  model: ModelSource,
  bundles: string,
  host: string,
): Promise<BundledModel> {
  const source = dirname(model.entry);
  const codePath = join(bundles, model.id, await digestOf(source));
  await cp(source, codePath, { recursive: true, filter: (path) => !path.includes('__pycache__') });
  return { id: model.id, codePath, host };
}

/** Returns a digest of the files in a folder and its subfolders. */
async function digestOf(folder: string): Promise<string> {
  const files = await filesIn(folder);
  const contents = await Promise.all(files.map((file) => readFile(file, 'base64')));
  return hash('sha256', JSON.stringify([files, contents])).slice(0, 16);
}

/** Returns a string that changes when a file of a model in Python is added, removed, or saved. */
export async function savedAt({ entry }: ModelSource): Promise<string> {
  const files = await filesIn(dirname(entry));
  const times = await Promise.all(
    files.map(async (file) => {
      const { mtimeMs, size } = await stat(file);
      return [file, mtimeMs, size];
    }),
  );
  return JSON.stringify(times);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.includes('__pycache__'))
    .toSorted();
}

/**
 * Returns the folder with the bundle of the Lambda function that calls models in Python. All models in Python share the
 * folder.
 */
export async function modelHostIn(bundles: string): Promise<string> {
  if (isPackage) return join(packageFolder, 'dist', 'lambdas', 'model-host');
  const entry = join(packageFolder, 'lambdas', 'model-host.ts');
  const { codePath } = await bundleModel({ id: 'model-host', entry }, bundles);
  return codePath;
}
