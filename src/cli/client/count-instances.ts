import * as v from 'valibot';
import type { ApiClient } from './api-client.ts';

const overview = v.object({
  models: v.array(
    v.object({
      id: v.string(),
      statuses: v.array(v.object({ instances: v.number(), more: v.boolean() })),
    }),
  ),
});

/**
 * Counts the instances of models, to show the progress of a command. Returns undefined if a model has no counts or the
 * counts are not exact.
 */
export async function countInstances(
  api: ApiClient,
  ids: readonly string[],
): Promise<number | undefined> {
  const { models } = (await api.get('/overview')).read(overview);
  const statuses = ids.map((id) => models.find((each) => each.id === id)?.statuses ?? []);
  if (statuses.some((each) => each.length === 0)) return undefined;
  const counts = statuses.flat();
  if (counts.some(({ more }) => more)) return undefined;
  return counts.reduce((sum, { instances }) => sum + instances, 0);
}

/** Returns the completed share, from 0 to 1, or undefined if the total is unknown. */
export const fractionOf = (done: number, total: number | undefined): number | undefined =>
  total === undefined ? undefined : Math.min(1, done / Math.max(1, total));
