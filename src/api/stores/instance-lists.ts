import type { InstanceKey } from '../../core/event/event.ts';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { CappedCount } from '../../stores/capped-count.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';

/** A list's filters and order. An instance must match all filters. */
export interface InstanceQuery {
  readonly model?: string;
  readonly status?: string;
  /** Selects instances whose transaction id starts with this text. */
  readonly prefix?: string;
  /** Selects instances that are late at this moment (RFC 3339 in UTC). */
  readonly lateBy?: string;
  /** Selects instances that are at risk but not late at this moment (RFC 3339 in UTC). */
  readonly atRiskBy?: string;
  /** Selects instances with this business key, such as `customer:42`. */
  readonly key?: string;
  /** Selects instances with parked events. */
  readonly parked?: true;
  /** The order of the list. Default: `newest`. */
  readonly order?: ListOrder;
}

/**
 * The order of a list. By default, instances are sorted by their latest change. With `oldest` and a filter on lateness,
 * risk, or parked events, the instances that have been late, at risk, or parked longest come first.
 */
export type ListOrder = 'newest' | 'oldest';

/** Lists instances. The lists are eventually consistent with the commits. */
export interface InstanceLists {
  list(query: InstanceQuery, page: PageRequest): Promise<ListPage<StatusRow>>;
  /**
   * Lists a model's instances in an order that stays the same when instances change. Reading all pages returns each
   * instance that existed at the start exactly once.
   */
  inFixedOrder(model: string, page: PageRequest): Promise<ListPage<StatusRow>>;
  /** Lists only the instances' keys, in the same order as `inFixedOrder` but with fewer database requests. */
  keysInFixedOrder(model: string, page: PageRequest): Promise<ListPage<InstanceKey>>;
  /** Returns the cursor that continues after an instance in the fixed order, for a page that ends early. */
  cursorAfter(instance: InstanceKey): Promise<string>;
  /** Counts the instances with parked events, without the delay of the counters. */
  countParked(): Promise<CappedCount>;
}
