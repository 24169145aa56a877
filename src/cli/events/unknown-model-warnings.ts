import type { Command } from 'commander';
import { didYouMean } from '../../common/closest-word.ts';
import { escapeControls } from '../../common/escape.ts';
import type { Cli } from '../cli.ts';
import { type ApiClient, ApiError } from '../client/api-client.ts';
import { readModelIds } from '../client/model-ids.ts';

/** Prints a warning for each unknown model. Waits up to ten seconds for the list of models. */
export async function warnOfUnknownModels(
  cli: Cli,
  command: Command,
  named: ReadonlySet<string>,
): Promise<void> {
  const api = cli.api(command, { attempts: 1, timeoutMs: 10_000 });
  for (const each of await unknownModelWarnings(api, named)) cli.note(each);
}

/**
 * Creates warnings for unknown models. The API accepts events for unknown models, but these events become dead letters.
 * Returns no warnings if the models cannot be listed.
 *
 * @returns one line per unknown model.
 */
async function unknownModelWarnings(
  api: ApiClient,
  named: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (named.size === 0) return [];
  try {
    const known = await readModelIds(api);
    return [...named].filter((id) => !known.includes(id)).map((id) => warning(id, known));
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

function warning(id: string, known: readonly string[]): string {
  const suggestion = didYouMean(id, known) || '.';
  return escapeControls(
    `warning: there is no model \`${id}\`${suggestion} Events for \`${id}\` become dead letters; redrive them after you deploy the model.`,
  );
}
