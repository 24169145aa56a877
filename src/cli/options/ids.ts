import type { Cli } from '../cli.ts';
import { ApiError } from '../client/api-client.ts';
import { pathSegment } from './arguments.ts';

/** Parses an argument that accepts several ids, each of which becomes a segment of a URL path. */
export const idsArgument = (id: string, ids: readonly string[] = []): readonly string[] => [
  ...ids,
  pathSegment(id),
];

/**
 * Runs an action for each id. If the API reports that an id does not exist, prints the error, sets the exit status to
 * 1, and continues with the next id.
 */
export async function forEachId(
  cli: Cli,
  ids: readonly string[],
  act: (id: string) => Promise<void>,
): Promise<void> {
  for (const id of ids)
    try {
      await act(id);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      cli.note(`error: ${error.message}`);
      cli.status = 1;
    }
}
