import type { ModelVersion } from '../../core/model/model-version.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';

/** Which versions of models' code there are, and which of them runs. */
export interface ModelVersions {
  /** Those of a model that can be gone back to, newest first. */
  versions(id: string): Promise<readonly ModelVersion[]>;
  /** Replaces the entry of a model, unless it is another one by now. */
  replace(before: RegistryEntry, after: RegistryEntry): Promise<'replaced' | 'conflict'>;
}
