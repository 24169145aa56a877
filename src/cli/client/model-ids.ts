import * as v from 'valibot';
import type { ApiClient } from './api-client.ts';

/** Reads the ids of all models. Throws `ApiError`. */
export async function readModelIds(api: ApiClient): Promise<string[]> {
  return (await api.get('/models')).read(registered).models.map(({ id }) => id);
}

const registered = v.object({ models: v.array(v.object({ id: v.string() })) });
