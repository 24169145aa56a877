import type { InstanceKey } from '../../core/event/event.ts';
import type { CustomerLink } from '../../core/status/customer-link.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';

/**
 * The links to customers' status pages that have been made and not revoked. Reads are strongly
 * consistent, so that revoking a link takes effect at once.
 */
export interface CustomerLinks {
  add(instance: InstanceKey, link: CustomerLink): Promise<void>;
  /** Whether a link has been made and not revoked. When it expires is for its token to say. */
  has(instance: InstanceKey, id: string): Promise<boolean>;
  /** The links of an instance that have not expired, newest first. */
  list(instance: InstanceKey, page: PageRequest): Promise<ListPage<CustomerLink>>;
  /** Revokes a link; `missing` if there is none, or no longer. */
  revoke(instance: InstanceKey, id: string): Promise<'revoked' | 'missing'>;
  /**
   * Revokes every link of an instance that there is when it is called.
   *
   * @returns how many had not expired.
   */
  revokeAll(instance: InstanceKey): Promise<number>;
}
