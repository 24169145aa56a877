import type { RegistryEntry } from '../core/model/registry-entry.ts';

/** The registry of models. A model's entry names the Lambda function that runs the model. */
export interface ModelRegistry {
  /** Reads a model's entry with eventual consistency: changes during the last second or so may be missing. */
  get(id: string): Promise<RegistryEntry | undefined>;
  /** Reads a model's entry with strong consistency, at twice the cost of `get`. */
  getConsistent(id: string): Promise<RegistryEntry | undefined>;
  /** Lists all models' entries, sorted by id. */
  list(): Promise<RegistryEntry[]>;
}
