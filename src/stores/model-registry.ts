import type { RegistryEntry } from '../core/model/registry-entry.ts';

/** Which Lambda runs which model. */
export interface ModelRegistry {
  /** The entry of a model as of about a second ago, or a newer one. */
  get(id: string): Promise<RegistryEntry | undefined>;
  /** The entry of a model as it is now, at twice the cost of `get`. */
  getConsistent(id: string): Promise<RegistryEntry | undefined>;
  /** Every model, by id. */
  list(): Promise<RegistryEntry[]>;
}
