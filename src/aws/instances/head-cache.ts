import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import { partitionOf } from './instance-keys.ts';

/** How much the states of all that is known may take, in characters. */
const maximumCharacters = 16 * 1024 * 1024;
/** What a head takes besides its state, about. */
const overheadCharacters = 1024;

/**
 * The heads that a process wrote last, those used longest ago being forgotten first. Others write
 * too, so that any of them may be an old one.
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
