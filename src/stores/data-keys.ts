import type { InstanceKey } from '../core/event/event.ts';
import type { DataKey } from '../core/personal-data/sealed.ts';

/** What personal data of instances is sealed with: a key for each, which can be destroyed. */
export interface DataKeys {
  /** The key of an instance; a new one where it has none yet. */
  getOrCreate(instance: InstanceKey): Promise<DataKey>;
  /** The key of an instance; undefined where it never had one. */
  get(instance: InstanceKey): Promise<DataKey | undefined>;
  /** Destroys the key of an instance, for ever; that it is destroyed already is fine. */
  destroy(instance: InstanceKey): Promise<void>;
}
