import { parkedStatus } from '../../core/status/status-row.ts';
import type { ModelRegistry } from '../../stores/model-registry.ts';
import { Problem } from '../http/problem.ts';
import { findModel, nameHint, unknownModelMessage } from '../registry/read-model.ts';
import type { InstanceLists, InstanceQuery } from '../stores/instance-lists.ts';
import type { UnknownInstance } from './read-instance.ts';

/** The smallest page that shows whether a list is empty. */
const oneInstance = { limit: 1 };

interface CheckNamesDependencies {
  readonly lists: InstanceLists;
  readonly models: Pick<ModelRegistry, 'get' | 'list'>;
}

/**
 * Checks that the model and the status in a list's filters exist. A name exists if it is in the registry or an instance
 * uses it: instances remain when their model is removed or its statuses change.
 *
 * @throws Problem 400 if a name does not exist; the message suggests the closest name.
 */
export async function checkNames(
  { lists, models }: CheckNamesDependencies,
  { model, status }: Pick<InstanceQuery, 'model' | 'status'>,
): Promise<void> {
  if (model === undefined && status === undefined) return;
  const entry = model === undefined ? undefined : await findModel(models, model);
  if (model !== undefined && !entry) await checkModelHasInstances({ lists, models }, model);
  if (status === undefined || status === parkedStatus) return;
  const known = entry ? [entry] : model === undefined ? await models.list() : [];
  const statuses = [...new Set([...known.flatMap((each) => each.statuses), parkedStatus])];
  if (statuses.includes(status)) return;
  const { items } = await lists.list({ model, status }, oneInstance);
  if (items.length > 0) return;
  const start = model === undefined ? 'no model has a' : `the model \`${model}\` has no`;
  throw new Problem(400, `${start} status \`${status}\`${nameHint(status, statuses, 'statuses')}`);
}

async function checkModelHasInstances(
  { lists, models }: CheckNamesDependencies,
  model: string,
): Promise<void> {
  const { items } = await lists.keysInFixedOrder(model, oneInstance);
  if (items.length > 0) return;
  throw new Problem(400, await unknownModelMessage(models, model));
}

/**
 * Returns the problem for an unknown instance. If its model is also unknown, the message says so, because the model's
 * name may be misspelled.
 */
export async function explainUnknownInstance(
  models: Pick<ModelRegistry, 'get' | 'list'>,
  problem: UnknownInstance,
): Promise<Problem> {
  const { key, status, message } = problem;
  if (await findModel(models, key.model)) return problem;
  return new Problem(status, `${message}; ${await unknownModelMessage(models, key.model)}`);
}
