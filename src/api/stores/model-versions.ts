import type { ModelVersion } from '../../core/model/model-version.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';

/** The published versions of each model's code, and the registry entry, which determines the active version. */
export interface ModelVersions {
  /** Reads a model's versions that a rollback can activate, newest first. */
  versions(id: string): Promise<readonly ModelVersion[]>;
  /** Replaces a model's registry entry, unless the entry has changed since it was read. */
  replace(before: RegistryEntry, after: RegistryEntry): Promise<'replaced' | 'conflict'>;
}
