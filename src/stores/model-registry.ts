import type { RegistryEntry } from '../core/model/registry-entry.ts';

/** The registry of models: which Lambda function runs which model. */
export interface ModelRegistry {
  /** Reads the entry of a model with eventual consistency: changes during the last second or so may be missing. */
  get(id: string): Promise<RegistryEntry | undefined>;
  /** Reads the entry of a model with strong consistency, at twice the cost of `get`. */
  getConsistent(id: string): Promise<RegistryEntry | undefined>;
  /** Lists the entries of all models, sorted by id. */
  list(): Promise<RegistryEntry[]>;
}
