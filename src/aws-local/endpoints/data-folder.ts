import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createFolder } from '../../common/create-folder.ts';
import { EndpointError } from '../server/endpoint-error.ts';

/**
 * Creates the data folder if it is missing. Throws an `EndpointError` with the code `data-folder` if the folder is not
 * writable.
 */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await createFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new EndpointError(
      'data-folder',
      `the data folder ${folder} is not writable (${reason})`,
      {
        cause,
      },
    );
  }
}
