import type { InstanceKey } from '../core/event/event.ts';
import type { DataKey } from '../core/personal-data/sealed.ts';

/**
 * The keys that seal instances' personal data. Each instance has its own key, so destroying the key erases only the
 * data of that instance.
 */
export interface DataKeys {
  /**
   * Returns an instance's key and creates it if the instance has never had one; returns `'forgotten'` if the key was
   * destroyed.
   */
  getOrCreate(instance: InstanceKey): Promise<DataKey>;
  /** Returns an instance's key, `'forgotten'` if it was destroyed, or undefined if the instance has never had one. */
  get(instance: InstanceKey): Promise<DataKey | undefined>;
  /** Returns true if an instance's key has been destroyed. Unlike `get`, never returns a stale result. */
  isDestroyed(instance: InstanceKey): Promise<boolean>;
  /**
   * Permanently destroys an instance's key. Has no effect if the key is already destroyed. Other processes may use a
   * cached key for another minute.
   */
  destroy(instance: InstanceKey): Promise<void>;
}
