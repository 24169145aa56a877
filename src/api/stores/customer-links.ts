import type { InstanceKey } from '../../core/event/event.ts';
import type { CustomerLink } from '../../core/status/customer-link.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';

/**
 * The links to customer status pages that have not been revoked. Reads are strongly consistent, so revoking a link
 * takes effect immediately.
 */
export interface CustomerLinks {
  add(instance: InstanceKey, link: CustomerLink): Promise<void>;
  /** Returns true if a link exists and was not revoked. Does not check the expiry, which the token contains. */
  has(instance: InstanceKey, id: string): Promise<boolean>;
  /** Lists an instance's links that have not expired, newest first. */
  list(instance: InstanceKey, page: PageRequest): Promise<ListPage<CustomerLink>>;
  /**
   * Revokes a link. Returns `missing` if the link never existed, was revoked before, or expired and has been deleted.
   */
  revoke(instance: InstanceKey, id: string): Promise<'revoked' | 'missing'>;
  /**
   * Revokes every link that exists for an instance when the call starts.
   *
   * @returns the number of revoked links that had not expired.
   */
  revokeAll(instance: InstanceKey): Promise<number>;
}
