import type { InstanceKey, TrackedEvent } from '../../core/event/event.ts';

/** An event in the history of an instance. */
export interface FoundEvent
  extends InstanceKey,
    Pick<TrackedEvent, 'id' | 'source' | 'type' | 'time'> {
  /** The version of the commit that contains the event. */
  readonly version: number;
}

/** A part of the histories, and the events that were found in it. */
export interface FoundEvents {
  readonly events: readonly FoundEvent[];
  /** The number of items that were read. */
  readonly itemsRead: number;
  /** Continues after this part; absent at the end. */
  readonly cursor?: string;
}

/** Finds events by their ids in all histories. There is no index, so it reads the whole instances table. */
export interface EventFinder {
  /**
   * Searches a part of the histories for an event id.
   *
   * @param until the time at which no further part of the table is read, in milliseconds since 1970.
   */
  find(
    id: string,
    search: { readonly cursor?: string; readonly until: number },
  ): Promise<FoundEvents>;
}
