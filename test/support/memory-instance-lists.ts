import type { StatusRow } from '../../src/core/status-row.ts';
import type { InstanceLists, InstanceQuery, Page, PageRequest } from '../../src/service/ports.ts';
import type { MemoryInstanceStore } from './memory-instance-store.ts';

/** Lists of what a store in memory holds; a place is how many rows lie before it. */
export class MemoryInstanceLists implements InstanceLists {
  readonly #store: MemoryInstanceStore;

  constructor(store: MemoryInstanceStore) {
    this.#store = store;
  }

  list(query: InstanceQuery, { limit, cursor = '0' }: PageRequest): Promise<Page<StatusRow>> {
    const start = Number(cursor);
    const rows = [...this.#store.rows.values()]
      .filter((row) => query.model === undefined || row.model === query.model)
      .filter((row) => query.status === undefined || row.status === query.status)
      .filter((row) => row.transaction.startsWith(query.prefix ?? ''))
      .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    const end = start + limit;
    const items = rows.slice(start, end);
    return Promise.resolve(rows.length > end ? { items, cursor: String(end) } : { items });
  }
}
