import type { ModelVersion } from '../../core/model/model-version.ts';
import type { RegisteredItem } from './registered-item.ts';

/**
 * The item in the registry table with the versions of a model's code. The versions are not in the model's entry because
 * the entry must stay small: the dispatcher reads it again every five seconds.
 */
export interface VersionsItem extends RegisteredItem {
  /** The versions, newest first. */
  readonly versions: readonly ModelVersion[];
}

/** Separates a model's id from the kind of item. Model ids never contain this character. */
const separator = '#';

/** Returns the id of a model's versions item. */
export const versionsId = (modelId: string) => `${modelId}${separator}versions`;

/** Returns true if an item in the table is a model's entry. */
export const isModelId = (id: string) => !id.includes(separator);
