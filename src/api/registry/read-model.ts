import { didYouMean } from '../../common/closest-word.ts';
import { modelIdPattern } from '../../core/event/event.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { ModelRegistry } from '../../stores/model-registry.ts';
import { Problem } from '../http/problem.ts';

/** The maximum number of names that a message lists. */
const maximumNames = 20;

/** Reads a model; returns undefined if it is not registered or no model can have this id. */
export const findModel = async (
  models: Pick<ModelRegistry, 'get'>,
  id: string,
): Promise<RegistryEntry | undefined> => (modelIdPattern.test(id) ? models.get(id) : undefined);

/** Reads the model that a path names; throws Problem 404 if it is not registered. */
export async function readModel(
  models: Pick<ModelRegistry, 'get' | 'list'>,
  id: string,
): Promise<RegistryEntry> {
  const entry = await findModel(models, id);
  if (entry) return entry;
  throw await unknownModelProblem(models, id);
}

/** Creates the problem for a path with an unknown model. The message suggests the closest name. */
export const unknownModelProblem = async (models: Pick<ModelRegistry, 'list'>, id: string) =>
  new Problem(404, await unknownModelMessage(models, id));

/** Returns a message about an unknown model that suggests the closest name. */
export async function unknownModelMessage(
  models: Pick<ModelRegistry, 'list'>,
  id: string,
): Promise<string> {
  const ids = (await models.list()).map((entry) => entry.id);
  return `there is no model \`${id}\`${nameHint(id, ids, 'models')}`;
}

/** Suggests the closest known name. If no name is close, lists all names, unless there are too many. */
export function nameHint(
  name: string,
  known: readonly string[],
  kind: 'models' | 'statuses',
): string {
  const suggestion = didYouMean(name, known);
  if (suggestion || known.length === 0 || known.length > maximumNames) return suggestion;
  return `; available ${kind}: ${known.join(', ')}`;
}
