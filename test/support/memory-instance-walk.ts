import type { InstanceScanner } from '../../src/api/stores/instance-scanner.ts';
import type { InstanceKey } from '../../src/core/event/event.ts';
import type { ListPage, PageRequest } from '../../src/stores/paging.ts';
import type { MemoryInstanceStore } from './memory-instance-store.ts';

/** The instances of a store in memory, by their names. */
export class MemoryInstanceWalk implements InstanceScanner {
  readonly #store: MemoryInstanceStore;

  constructor(store: MemoryInstanceStore) {
    this.#store = store;
  }

  scan(model: string, { limit, cursor = '' }: PageRequest): Promise<ListPage<InstanceKey>> {
    const { commits, parked } = this.#store;
    const queued = [...parked].filter(([, queue]) => queue.length > 0).map(([name]) => name);
    const names = [...new Set([...commits.keys(), ...queued])]
      .filter((name) => name.startsWith(`${model}#`) && name > cursor)
      .toSorted();
    const page = names.slice(0, limit);
    const items = page.map((name) => ({ model, transaction: name.slice(model.length + 1) }));
    return Promise.resolve(names.length > limit ? { items, cursor: page.at(-1)! } : { items });
  }

  cursorAfter({ model, transaction }: InstanceKey): string {
    return `${model}#${transaction}`;
  }
}
