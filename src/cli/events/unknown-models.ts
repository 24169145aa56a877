import type { Command } from 'commander';
import { didYouMean } from '../../common/closest-word.ts';
import { escapeControls } from '../../common/escape.ts';
import type { Cli } from '../cli.ts';
import { ApiError } from '../client/api-client.ts';
import { readModelIds } from '../client/model-ids.ts';

/**
 * The ids of unknown models, each with the end of a message about it, such as "; did you mean `parcel`?". The
 * end is an empty string if no model has a similar id.
 */
export type UnknownModels = ReadonlyMap<string, string>;

/**
 * Finds the unknown models among the models of sent events. The API accepts events for unknown models, but these events
 * become dead letters. Waits up to ten seconds for the list of models. Returns no models if they cannot be listed.
 */
export async function findUnknownModels(
  cli: Cli,
  command: Command,
  ids: ReadonlySet<string>,
): Promise<UnknownModels> {
  if (ids.size === 0) return new Map();
  const api = cli.api(command, { attempts: 1, timeoutMs: 10_000 });
  try {
    const known = await readModelIds(api);
    const unknown = [...ids].filter((id) => !known.includes(id));
    return new Map(unknown.map((id) => [id, didYouMean(id, known)]));
  } catch (error) {
    if (error instanceof ApiError) return new Map();
    throw error;
  }
}

/** Returns a warning for each unknown model, as one line. */
export const warningsOf = (unknown: UnknownModels): string[] =>
  [...unknown].map(([id, suggestion]) =>
    escapeControls(
      `warning: there is no model \`${id}\`${suggestion || '.'} Events for \`${id}\` become dead letters; redrive them after you deploy the model.`,
    ),
  );
