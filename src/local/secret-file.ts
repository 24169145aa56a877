import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { messageOf } from '../core/errors.ts';
import { isWebhookSecret, StartError } from './settings.ts';

/**
 * The secret in a file that its owner alone may read; the first time, a new one.
 *
 * @throws StartError when the file cannot be used.
 */
export async function secretInFile(path: string): Promise<string> {
  try {
    return checked(path, (await readFile(path, 'utf8')).trim());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(path, error);
  }
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  try {
    // In two steps, so that a kill leaves no half of it.
    await writeFile(`${path}.new`, `${secret}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    throw unusable(path, error);
  }
  return secret;
}

function checked(path: string, secret: string): string {
  if (isWebhookSecret(secret)) return secret;
  throw new StartError(`${path} holds no secret`);
}

function unusable(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`${path} cannot be used: ${messageOf(error)}`, { cause: error });
}
