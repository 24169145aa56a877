import { randomBytes } from 'node:crypto';
import type { InstanceKey } from '../../src/core/event/event.ts';
import type { DataKey } from '../../src/core/personal-data/sealed.ts';
import type { DataKeys } from '../../src/stores/data-keys.ts';

/** Keys of instances, in memory. */
export class MemoryDataKeys implements DataKeys {
  readonly #keys = new Map<string, DataKey>();
  failure: Error | undefined;

  async getOrCreate(instance: InstanceKey): Promise<DataKey> {
    await this.get(instance);
    const made = this.#keys.get(nameOf(instance)) ?? randomBytes(32);
    this.#keys.set(nameOf(instance), made);
    return made;
  }

  get(instance: InstanceKey): Promise<DataKey | undefined> {
    return this.failure
      ? Promise.reject(this.failure)
      : Promise.resolve(this.#keys.get(nameOf(instance)));
  }

  destroy(instance: InstanceKey): Promise<void> {
    this.#keys.set(nameOf(instance), 'forgotten');
    return Promise.resolve();
  }
}

const nameOf = ({ model, transaction }: InstanceKey) => `${model}#${transaction}`;
