import type { InstanceKey } from '../../core/event/event.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';

/** Finds instances by their commits and parked events alone, whatever their rows say. */
export interface InstanceScanner {
  /**
   * Some instances of a model, in an order that no change of them moves; one is perhaps there twice, and
   * a page may be empty though there are more.
   */
  scan(model: string, page: PageRequest): Promise<ListPage<InstanceKey>>;
  /** The cursor of what comes behind an instance, for a page of which only the first ones were done. */
  cursorAfter(instance: InstanceKey): string;
}
