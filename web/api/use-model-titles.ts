import type { Model, ModelPage } from './types.ts';
import { useLive } from './use-live.ts';

/**
 * Returns the registered models, and a function that returns the title of a model. If a model is not loaded or not
 * registered, its id serves as its title.
 */
export function useModelTitles(): {
  readonly models: readonly Model[];
  readonly titleOf: (id: string) => string;
} {
  const { body } = useLive<ModelPage>('/api/models');
  const models = body?.models ?? [];
  return { models, titleOf: (id) => models.find((model) => model.id === id)?.title ?? id };
}
