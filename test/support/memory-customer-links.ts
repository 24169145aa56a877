import type { CustomerLinks } from '../../src/api/stores/customer-links.ts';
import type { Clock } from '../../src/common/clock.ts';
import type { InstanceKey } from '../../src/core/event/event.ts';
import type { CustomerLink } from '../../src/core/status/customer-link.ts';
import type { Page, PageRequest } from '../../src/stores/paging.ts';

/** Customers' links in memory. */
export class MemoryCustomerLinks implements CustomerLinks {
  /** How often it was asked for a link. */
  reads = 0;
  readonly #clock: Clock;
  readonly #links = new Map<string, Map<string, CustomerLink>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(instance: InstanceKey, link: CustomerLink): Promise<void> {
    this.#of(instance).set(link.id, link);
    return Promise.resolve();
  }

  has(instance: InstanceKey, id: string): Promise<boolean> {
    this.reads++;
    return Promise.resolve(this.#of(instance).has(id));
  }

  list(instance: InstanceKey, { limit, cursor = '~' }: PageRequest): Promise<Page<CustomerLink>> {
    const newest = this.#current(instance)
      .filter(({ id }) => id < cursor)
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    const items = newest.slice(0, limit);
    return Promise.resolve(newest.length > limit ? { items, cursor: items.at(-1)!.id } : { items });
  }

  revoke(instance: InstanceKey, id: string): Promise<'revoked' | 'missing'> {
    return Promise.resolve(this.#of(instance).delete(id) ? 'revoked' : 'missing');
  }

  revokeAll(instance: InstanceKey): Promise<number> {
    const count = this.#current(instance).length;
    this.#of(instance).clear();
    return Promise.resolve(count);
  }

  #current(instance: InstanceKey): CustomerLink[] {
    const now = this.#clock.now();
    return [...this.#of(instance).values()].filter((link) => Date.parse(link.expiresAt) > now);
  }

  #of({ model, transaction }: InstanceKey): Map<string, CustomerLink> {
    const name = JSON.stringify([model, transaction]);
    const links = this.#links.get(name) ?? new Map<string, CustomerLink>();
    this.#links.set(name, links);
    return links;
  }
}
