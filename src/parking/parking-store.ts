import type { InstanceKey } from '../core/event/event.ts';
import type { StreamPosition } from '../core/history/commit.ts';
import type { PositionedEvent } from '../model-runtime/protocol.ts';
import type { ParkedLetter } from '../stores/dead-letter-store.ts';
import type { SettledResult } from '../stores/settled-result.ts';

/** An event that waits with its instance until it is applied again. */
export interface ParkedEvent extends PositionedEvent, ParkedLetter {
  readonly reason: string;
  /** True when the model failed on it, false when it only waits behind one. */
  readonly fault: boolean;
  /** When its record came, RFC 3339 in UTC. */
  readonly at: string;
}

/** What the status row says of a queue of parked events. */
export interface QueueSummary {
  readonly count: number;
  /** When the oldest event came, RFC 3339 in UTC; undefined when the queue is empty. */
  readonly since: string | undefined;
}

/** A change of an instance's queue, from `begin` to `finish` or `recount`. */
export interface QueueChange {
  readonly instance: InstanceKey;
  /** The announcement on the status row. */
  readonly name: string;
  /** The version of the queue that this change made: any other change makes a higher one. */
  readonly version: number;
  /**
   * The queue before this change. Undefined if another change is under way or was interrupted: then
   * nothing is known until the queue is counted.
   */
  readonly before: QueueSummary | undefined;
}

/**
 * Where parked events are kept: with their instance, in the order in which they came.
 *
 * Every change of a queue is announced on the instance's status row before it is made, and stays
 * announced until the row has the new count. A change that is interrupted therefore leaves a trace,
 * and the change that comes next counts the queue.
 */
export interface ParkingStore {
  /**
   * Announces a change of an instance's queue. Until it is finished, events of the instance may be
   * parked.
   *
   * @param cause the position of a record that leads to this change: the same when it is tried again.
   */
  begin(instance: InstanceKey, cause: StreamPosition): Promise<QueueChange>;
  /** Parks events of one instance. One that is there already stays unchanged. */
  park(parked: readonly ParkedEvent[]): Promise<SettledResult<'parked' | 'already parked'>[]>;
  /** Says anew why an event is parked, unless it was taken out meanwhile. */
  replace(parked: ParkedEvent): Promise<void>;
  /** The events that are parked at these positions, in no set order. */
  find(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<ParkedEvent[]>;
  /** The first of an instance's parked events: as many as `limit`, or fewer if they are large. */
  oldest(instance: InstanceKey, limit: number): Promise<readonly ParkedEvent[]>;
  /** How many events of an instance are parked. */
  count(instance: InstanceKey): Promise<number>;
  /** Takes events out; that one is gone already is fine. */
  remove(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<void>;
  /**
   * Ends a change whose result is known, by writing it on the status row.
   *
   * @returns `'interfered'` if another change began since: then nothing is written, and the queue
   *   has to be counted.
   */
  finish(change: QueueChange, after: QueueSummary): Promise<'finished' | 'interfered'>;
  /**
   * Counts an instance's queue and writes the result on the status row.
   *
   * @param change the change that this ends, together with interrupted attempts at it and with
   *   changes that are too old to be under way.
   */
  recount(instance: InstanceKey, change?: QueueChange): Promise<void>;
}
