import { didYouMean } from '../../common/closest-word.ts';
import { type ApiClient, ApiError } from '../client/api-client.ts';
import { readModelIds } from '../client/model-ids.ts';
import { escapeControls } from '../output/escape.ts';

/**
 * Warns of events that were accepted for models that do not exist: the stream takes them, and they become dead
 * letters. A caller that may not list the models gets no warnings, and neither does one whose service does not answer.
 *
 * @returns one line for each unknown model.
 */
export async function unknownModelWarnings(
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
    `warning: no model \`${id}\`${suggestion} Its events become dead letters: redrive them once it is deployed.`,
  );
}
