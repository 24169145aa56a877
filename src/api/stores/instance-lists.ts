import type { InstanceKey } from '../../core/event/event.ts';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';

/** The filters of a list. */
export interface InstanceQuery {
  readonly model?: string;
  readonly status?: string;
  /** Selects instances whose transaction id starts with this text. */
  readonly prefix?: string;
  /** Selects instances that are late at this moment (RFC 3339 in UTC). */
  readonly lateBy?: string;
  /** Selects instances with this business key, such as `customer:42`. */
  readonly key?: string;
  /** Selects instances with parked events. */
  readonly parked?: true;
}

/** Capped counts by model, without zeros; if `more` is true, every count may be too low. */
export interface CappedCountByModel {
  readonly counts: ReadonlyMap<string, number>;
  readonly more: boolean;
}

/** Lists of instances, newest change first. Eventually consistent with the commits. */
export interface InstanceLists {
  list(query: InstanceQuery, page: PageRequest): Promise<ListPage<StatusRow>>;
  /**
   * Lists the instances of a model in an order that changes do not affect. Reading all pages returns each instance that
   * existed at the start exactly once.
   */
  inFixedOrder(model: string, page: PageRequest): Promise<ListPage<StatusRow>>;
  /** Lists only the keys of these instances, which takes fewer requests. */
  keysInFixedOrder(model: string, page: PageRequest): Promise<ListPage<InstanceKey>>;
  /** Returns the cursor that continues after an instance in the fixed order, for a page that was shortened. */
  cursorAfter(instance: InstanceKey): string;
  /** Counts the instances of each model that are late, or have parked events. */
  countByModel(query: Pick<InstanceQuery, 'lateBy' | 'parked'>): Promise<CappedCountByModel>;
  /**
   * Counts the instances of each model that are late at a moment (RFC 3339 in UTC).
   *
   * @param deadlines the approximate number of instances that are late or have a deadline.
   */
  countLate(lateBy: string, deadlines: number): Promise<CappedCountByModel>;
}
