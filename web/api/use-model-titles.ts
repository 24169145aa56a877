import type { Model, ModelPage } from './types.ts';
import { useLive } from './use-live.ts';

/** The registered models, and the title of each. A model that is not loaded or not registered is called by its id. */
export function useModelTitles(): {
  readonly models: readonly Model[];
  readonly titleOf: (id: string) => string;
} {
  const { body } = useLive<ModelPage>('/api/models');
  const models = body?.models ?? [];
  return { models, titleOf: (id) => models.find((model) => model.id === id)?.title ?? id };
}
