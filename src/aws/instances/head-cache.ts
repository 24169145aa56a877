import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import { partitionOf } from './instance-keys.ts';

/** The maximum total size of the cached states, in characters. */
const maximumCharacters = 16 * 1024 * 1024;
/** The approximate size of a head without its state, in characters. */
const overheadCharacters = 1024;

/**
 * Caches the heads that this process wrote, and evicts the least recently written head first. Because other processes
 * also write commits, any cached head can be stale.
 */
export class HeadCache {
  readonly #heads = new Map<string, Head>();
  #characters = 0;

  get(key: InstanceKey): Head | undefined {
    return this.#heads.get(partitionOf(key));
  }

  add(head: Head): void {
    const name = partitionOf(head);
    this.#forget(name);
    this.#heads.set(name, head);
    this.#characters += sizeOf(head);
    for (const oldest of this.#heads.keys()) {
      if (this.#characters <= maximumCharacters) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const head = this.#heads.get(name);
    if (!head) return;
    this.#heads.delete(name);
    this.#characters -= sizeOf(head);
  }
}

const sizeOf = ({ state }: Head) => overheadCharacters + state.length;
