import type { InstanceKey } from '../../core/event/event.ts';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';

/** Which instances a list is about. */
export interface InstanceQuery {
  readonly model?: string;
  readonly status?: string;
  /** What their transaction ids start with. */
  readonly prefix?: string;
  /** Only those that are late at this moment, RFC 3339 in UTC. */
  readonly lateBy?: string;
  /** What business calls them by, such as `customer:42`. */
  readonly key?: string;
  /** Only those with parked events. */
  readonly parked?: true;
}

/** A count that ends somewhere: then there are more. */
export interface CappedCount {
  readonly count: number;
  readonly more: boolean;
}

/** The same for each model that has any; where there are more, of any of them. */
export interface CappedCountByModel {
  readonly counts: ReadonlyMap<string, number>;
  readonly more: boolean;
}

/** Lists of instances, newest change first. They may lag a moment behind the commits. */
export interface InstanceLists {
  list(query: InstanceQuery, page: PageRequest): Promise<ListPage<StatusRow>>;
  /**
   * The instances of a model in an order that no change of them moves: whoever pages through it sees each
   * that was there at first, once.
   */
  inFixedOrder(model: string, page: PageRequest): Promise<ListPage<StatusRow>>;
  /** The same, in fewer requests: only which instances they are. */
  keysInFixedOrder(model: string, page: PageRequest): Promise<ListPage<InstanceKey>>;
  /** The cursor of what comes behind an instance in that order, for a page of which only the first ones are shown. */
  cursorAfter(instance: InstanceKey): string;
  /** How many instances of a model have a status. */
  count(model: string, status: string): Promise<CappedCount>;
  /** How many instances of each model are late, or have parked events; of others there are none. */
  countByModel(query: Pick<InstanceQuery, 'lateBy' | 'parked'>): Promise<CappedCountByModel>;
}
