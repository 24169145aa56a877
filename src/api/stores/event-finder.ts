import type { InstanceKey, TrackedEvent } from '../../core/event/event.ts';

/** An event in an instance's history. */
export interface FoundEvent
  extends InstanceKey,
    Pick<TrackedEvent, 'id' | 'source' | 'type' | 'time'> {
  /** The version of the commit that contains the event. */
  readonly version: number;
}

/** The events that were found in part of the histories. */
export interface FoundEvents {
  readonly events: readonly FoundEvent[];
  /** The number of items in the instances table that were read. */
  readonly itemsRead: number;
  /** The cursor that continues after this part; absent at the end of the table. */
  readonly cursor?: string;
}

/** Finds events by id in all histories. Reads the whole instances table because there is no index of event ids. */
export interface EventFinder {
  /**
   * Searches part of the histories for an event id.
   *
   * @param until when to stop reading pages of the table, in milliseconds since 1970.
   */
  find(
    id: string,
    search: { readonly cursor?: string; readonly until: number },
  ): Promise<FoundEvents>;
}
