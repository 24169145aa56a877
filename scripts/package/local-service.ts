import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { appService } from '../../src/local/template/app-service.ts';
import { withModels } from '../../src/local/user-models/with-models.ts';

const lambdas = join(import.meta.dirname, '..', '..', 'dist', 'lambdas');

/**
 * Writes the definition of the service that `milepost local` runs, as the CDK app defines it. It contains one model
 * without code, which is the template for the user's models. With this definition, the packaged service starts without
 * the CDK.
 */
export async function writeLocalService(path: string): Promise<void> {
  const service = withModels(await appService(process.env), [{ id: 'pattern', codePath: '' }]);
  const names = new Map<string, string>();
  for (const name of await readdir(lambdas)) names.set(await bundleIn(join(lambdas, name)), name);
  const functions = await Promise.all(
    service.functions.map(async (definition) => {
      if (definition.codePath === '') return definition;
      const name = names.get(await bundleIn(definition.codePath));
      if (name === undefined)
        throw new Error(`dist/lambdas contains no bundle of ${definition.name}`);
      return { ...definition, codePath: name };
    }),
  );
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ ...service, functions }));
}

const bundleIn = (folder: string) => readFile(join(folder, 'index.mjs'), 'utf8');
