import type { InstanceKey } from '../core/event/event.ts';
import type { DataKey } from '../core/personal-data/sealed.ts';

/** The keys that seal the personal data of instances: one for each, which can be destroyed. */
export interface DataKeys {
  /** Returns the key of an instance; creates it if necessary. */
  getOrCreate(instance: InstanceKey): Promise<DataKey>;
  /** Returns the key of an instance; undefined if it never had one. */
  get(instance: InstanceKey): Promise<DataKey | undefined>;
  /** Permanently destroys the key of an instance. Has no effect if it is already destroyed. */
  destroy(instance: InstanceKey): Promise<void>;
}
