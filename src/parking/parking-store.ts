import type { InstanceKey } from '../core/event/event.ts';
import type { StreamPosition } from '../core/history/sequence.ts';
import type { PositionedEvent } from '../model-runtime/protocol.ts';
import type { ParkedLetter } from '../stores/dead-letter-store.ts';
import type { SettledResult } from '../stores/settled-result.ts';

/** An event that waits in the queue of its instance until Milepost can apply it. */
export interface ParkedEvent extends PositionedEvent, ParkedLetter {
  readonly reason: string;
  /** True if the event itself failed; false if it is queued behind a faulty event. */
  readonly fault: boolean;
  /** When the stream received the event's record, RFC 3339 in UTC. */
  readonly at: string;
}

/** The summary of an instance's queue of parked events on its status row. */
export interface QueueSummary {
  readonly count: number;
  /** When the oldest event arrived, RFC 3339 in UTC; undefined if the queue is empty. */
  readonly since: string | undefined;
}

/** A change to an instance's queue, from `begin` to `finish` or `recount`. */
export interface QueueChange {
  readonly instance: InstanceKey;
  /** The id of the announcement on the status row. */
  readonly name: string;
  /** The queue version that this change created. Later changes have higher versions. */
  readonly version: number;
  /**
   * The queue before this change. Undefined if another change is in progress or was interrupted; the queue must then
   * be counted.
   */
  readonly before: QueueSummary | undefined;
}

/**
 * Stores parked events. An instance's events are kept together, in stream order.
 *
 * Every change to a queue is first announced on the instance's status row and remains announced until the row contains
 * the new count. If a change is interrupted, it therefore remains announced, and the next change counts the queue.
 */
export interface ParkingStore {
  /**
   * Announces a change to an instance's queue. Until the change ends, readers must assume that events are parked.
   *
   * @param cause the position of a record that caused this change. Retries must pass the same position.
   */
  begin(instance: InstanceKey, cause: StreamPosition): Promise<QueueChange>;
  /** Parks one instance's events. An event that is already parked remains unchanged. */
  park(parked: readonly ParkedEvent[]): Promise<SettledResult<'parked' | 'already parked'>[]>;
  /** Replaces a parked event, for example, to change its reason, unless the event was dequeued in the meantime. */
  replace(parked: ParkedEvent): Promise<void>;
  /** Returns the events that are parked at these positions, in any order. */
  find(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<ParkedEvent[]>;
  /** Returns an instance's oldest parked events: at most `limit`, or fewer if they are large. */
  oldest(instance: InstanceKey, limit: number): Promise<readonly ParkedEvent[]>;
  /** Returns the number of an instance's parked events. */
  count(instance: InstanceKey): Promise<number>;
  /** Removes events from the queue. Ignores events that are not in the queue. */
  remove(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<void>;
  /**
   * Ends a change whose result is known and writes the result to the status row.
   *
   * @returns `'interfered'` if another change began in the meantime. In this case, nothing is written, and the queue
   *   must be counted.
   */
  finish(change: QueueChange, after: QueueSummary): Promise<'finished' | 'interfered'>;
  /**
   * Counts an instance's queue and writes the result to the status row.
   *
   * @param change the change to end, together with its interrupted attempts and with changes that are too old to be in
   *   progress. Default: no change ends.
   * @throws MilepostError `contention` if other changes interfered with five consecutive counts. The change remains
   *   announced.
   */
  recount(instance: InstanceKey, change?: QueueChange): Promise<void>;
}
