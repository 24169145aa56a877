import type {
  CappedCount,
  CappedCountByModel,
  InstanceLists,
  InstanceQuery,
} from '../../src/api/stores/instance-lists.ts';
import type { InstanceKey } from '../../src/core/event/event.ts';
import type { StatusRow } from '../../src/core/status/status-row.ts';
import type { ListPage, PageRequest } from '../../src/stores/paging.ts';
import type { MemoryInstanceStore } from './memory-instance-store.ts';

/** Lists of what a store in memory holds; a place is how many rows lie before it. */
export class MemoryInstanceLists implements InstanceLists {
  readonly #store: MemoryInstanceStore;

  constructor(store: MemoryInstanceStore) {
    this.#store = store;
  }

  count(model: string, status: string): Promise<CappedCount> {
    return Promise.resolve({ count: this.#matching({ model, status }).length, more: false });
  }

  countByModel(query: Pick<InstanceQuery, 'lateBy' | 'parked'>): Promise<CappedCountByModel> {
    const counts = new Map<string, number>();
    for (const { model } of this.#matching(query)) counts.set(model, (counts.get(model) ?? 0) + 1);
    return Promise.resolve({ counts, more: false });
  }

  list(query: InstanceQuery, { limit, cursor = '0' }: PageRequest): Promise<ListPage<StatusRow>> {
    const start = Number(cursor);
    const rows = this.#matching(query).toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    const end = start + limit;
    const items = rows.slice(start, end);
    return Promise.resolve(rows.length > end ? { items, cursor: String(end) } : { items });
  }

  inFixedOrder(model: string, { limit, cursor = '' }: PageRequest): Promise<ListPage<StatusRow>> {
    const rows = this.#matching({ model })
      .filter(({ transaction }) => transaction > cursor)
      .toSorted((a, b) => (a.transaction < b.transaction ? -1 : 1));
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return Promise.resolve(
      rows.length > limit ? { items, cursor: this.cursorAfter(last!) } : { items },
    );
  }

  async keysInFixedOrder(model: string, page: PageRequest): Promise<ListPage<InstanceKey>> {
    const { items, ...more } = await this.inFixedOrder(model, page);
    return {
      items: items.map(({ model: of, transaction }) => ({ model: of, transaction })),
      ...more,
    };
  }

  cursorAfter({ transaction }: InstanceKey): string {
    return transaction;
  }

  #matching({ model, status, prefix = '', lateBy, key, parked }: InstanceQuery): StatusRow[] {
    return [...this.#store.rows.values()].filter(
      (row) =>
        (row.startedAt !== null || parked === true) &&
        (model === undefined || row.model === model) &&
        (status === undefined || row.status === status) &&
        (lateBy === undefined || (row.lateAt !== null && row.lateAt <= lateBy)) &&
        (key === undefined || row.keys.includes(key)) &&
        (!parked || row.parked > 0) &&
        row.transaction.startsWith(prefix),
    );
  }
}
