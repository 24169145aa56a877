import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { EndpointError } from '../server/endpoint-error.ts';

/** Creates the folder where it is missing. Throws `data-folder` where it cannot be written. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new EndpointError('data-folder', `Cannot write the data folder ${folder} (${reason})`, {
      cause,
    });
  }
}
