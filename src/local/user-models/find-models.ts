import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../aws-local/server/start-error.ts';
import { messageOf } from '../../common/message-of.ts';
import { modelIdPattern } from '../../core/event/event.ts';

/** A model in a user's project. */
export interface ModelSource {
  /** The name of the model's folder. */
  readonly id: string;
  /** The file of the model's Lambda function. */
  readonly entry: string;
}

/** The possible file names of a model's Lambda function, in order of precedence. */
const entryNames = ['lambda.ts', 'lambda.mts', 'lambda.js', 'lambda.mjs', 'model.py'];

/**
 * Finds the models in a folder: each subfolder that contains the file of a Lambda function, as in the CDK app.
 *
 * @throws StartError if the folder cannot be read or contains no models, or if the name of a model's folder is not a
 * valid id.
 */
export async function findModels(folder: string): Promise<ModelSource[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${messageOf(error)}`;
    throw new StartError(
      `the models folder ${folder} ${reason}; specify another folder with --models, or create a project with npx milepost init`,
      { cause: error },
    );
  });
  const found = await Promise.all(
    names.toSorted().map(async (id) => ({ id, entry: await entryIn(join(folder, id)) })),
  );
  const models = found.filter((model): model is ModelSource => model.entry !== undefined);
  if (models.length === 0)
    throw new StartError(
      `${folder} contains no models; a model is a folder whose name is the model's id, with a lambda.ts or model.py that exports handler`,
    );
  for (const { id, entry } of models)
    if (!modelIdPattern.test(id))
      throw new StartError(
        `${entry}: the folder's name must be a model id, with 1 to 64 characters from a-z, 0-9, and -; got "${id}"; rename the folder`,
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
