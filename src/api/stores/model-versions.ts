import type { ModelVersion } from '../../core/model/model-version.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';

/** The versions of models' code, and the active one of each. */
export interface ModelVersions {
  /** The versions of a model that a rollback can activate, newest first. */
  versions(id: string): Promise<readonly ModelVersion[]>;
  /** Replaces the registry entry of a model, unless the entry has changed since it was read. */
  replace(before: RegistryEntry, after: RegistryEntry): Promise<'replaced' | 'conflict'>;
}
