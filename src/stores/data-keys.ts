import type { InstanceKey } from '../core/event/event.ts';
import type { DataKey } from '../core/personal-data/sealed.ts';

/** The keys that seal the personal data of instances. Each instance has a separate key, which can be destroyed. */
export interface DataKeys {
  /** Returns the key of an instance, and creates the key if it does not exist. */
  getOrCreate(instance: InstanceKey): Promise<DataKey>;
  /**
   * Returns the key of an instance, or `'forgotten'` if it was destroyed; undefined if the instance never had a key.
   */
  get(instance: InstanceKey): Promise<DataKey | undefined>;
  /** Permanently destroys the key of an instance. Has no effect if it is already destroyed. */
  destroy(instance: InstanceKey): Promise<void>;
}
