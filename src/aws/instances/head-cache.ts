import { RecentMap } from '../../common/recent-map.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import { partitionOf } from './instance-keys.ts';

/** The minimum total size of the cached heads, in characters. The maximum is twice that. */
const minimumCharacters = 16 * 1024 * 1024;
/** The approximate size of a head without its state, in characters. */
const overheadCharacters = 1024;

/**
 * Caches the heads that this process wrote most recently. Because other processes also write commits, any cached head
 * can be stale.
 */
export class HeadCache {
  readonly #heads = new RecentMap<Head>(
    minimumCharacters,
    ({ state }) => overheadCharacters + state.length,
  );

  get(key: InstanceKey): Head | undefined {
    return this.#heads.get(partitionOf(key));
  }

  add(head: Head): void {
    this.#heads.set(partitionOf(head), head);
  }
}
