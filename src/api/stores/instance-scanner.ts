import type { InstanceKey } from '../../core/event/event.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';

/** Finds instances by their commits and parked events, without using their status rows. */
export interface InstanceScanner {
  /**
   * Returns a page of a model's instances, in an order that stays the same when instances change. An instance can
   * appear twice, and a page can be empty even if more pages follow.
   */
  scan(model: string, page: PageRequest): Promise<ListPage<InstanceKey>>;
  /** Returns the cursor that continues after an instance, for a page that was only partly processed. */
  cursorAfter(instance: InstanceKey): string;
}
