import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../aws-local/server/start-error.ts';
import { messageOf } from '../../common/message-of.ts';
import { modelIdPattern } from '../../core/event/event.ts';

/** A model of a user's project. */
export interface ModelSource {
  /** The name of its folder. */
  readonly id: string;
  /** The file of its Lambda. */
  readonly entry: string;
}

/** What a model's Lambda may be called, the first one that there is; in Python, its module. */
const entryNames = ['lambda.ts', 'lambda.mts', 'lambda.js', 'lambda.mjs', 'model.py'];

/**
 * The models of a folder: each folder in it with a file of a Lambda, as the CDK app takes them.
 *
 * @throws StartError when there is no such folder, no model in it, or one with a name that is no id.
 */
export async function findModels(folder: string): Promise<ModelSource[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'is not there' : `cannot be read: ${messageOf(error)}`;
    throw new StartError(
      `the folder of models ${folder} ${reason}: name another with --models, or make a project with npx milepost init`,
      { cause: error },
    );
  });
  const found = await Promise.all(
    names.toSorted().map(async (id) => ({ id, entry: await entryIn(join(folder, id)) })),
  );
  const models = found.filter((model): model is ModelSource => model.entry !== undefined);
  if (models.length === 0)
    throw new StartError(
      `${folder} has no models: each is a folder with its id as the name, and in it a lambda.ts, or a model.py, that exports handler`,
    );
  for (const { id, entry } of models)
    if (!modelIdPattern.test(id))
      throw new StartError(
        `${entry}: "${id}" is no model's id, which is made of a-z, 0-9 and -, and has 1 to 64 of them`,
      );
  return models;
}

async function entryIn(folder: string): Promise<string | undefined> {
  for (const name of entryNames) {
    const path = join(folder, name);
    if (await isFile(path)) return path;
  }
  return undefined;
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
