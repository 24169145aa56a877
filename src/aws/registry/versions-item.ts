import type { ModelVersion } from '../../core/model/model-version.ts';

/**
 * The item of the registry's table that has the versions of a model's code. It is beside the model's own,
 * which is read with every batch of events and stays small.
 */
export interface VersionsItem {
  readonly id: string;
  /** One more with every change: who writes it says which one was read. */
  readonly revision: number;
  /** Newest first. */
  readonly versions: readonly ModelVersion[];
}

/** What stands between a model's id and what is kept of it besides; it is in no model's id. */
const separator = '#';

/** The key of that item. */
export const versionsId = (modelId: string) => `${modelId}${separator}versions`;

/** Whether an item of the table is a model's own. */
export const isModelId = (id: string) => !id.includes(separator);
