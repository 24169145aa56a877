import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolder } from '../common/create-folder.ts';
import { messageOf } from '../common/message-of.ts';
import { StartError } from './server/start-error.ts';

/** The functions that generate and validate a kind of secret. */
export interface SecretFormat {
  readonly generate: () => string;
  readonly isValid: (text: string) => boolean;
}

/**
 * Reads a secret from a file that only its owner can read. If the file does not exist, generates the secret and creates
 * the file.
 *
 * @throws StartError if the file cannot be used or contains no valid secret.
 */
export async function readOrCreateSecret(path: string, kind: SecretFormat): Promise<string> {
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (kind.isValid(secret)) return secret;
    throw new StartError(
      `${path} contains no valid secret; restore the file, or delete it to generate a new secret`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(path, error);
  }
  const secret = kind.generate();
  try {
    await createFolder(dirname(path));
    // Write and rename so that killing the process never leaves a partial file. A program that passes the contents to
    // a library, such as `standardwebhooks`, would fail if the file ended with a newline.
    await writeFile(`${path}.new`, secret, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    throw unusable(path, error);
  }
  return secret;
}

function unusable(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`${path} cannot be used: ${messageOf(error)}`, { cause: error });
}
