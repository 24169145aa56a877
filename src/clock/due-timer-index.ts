import type { Timer } from '../core/effects/timer.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { SettledResult } from '../stores/settled-result.ts';

/**
 * An instance with running timers or an upcoming deadline, according to its status row, which may lag behind the
 * commits.
 */
export interface InstanceTimers {
  readonly instance: InstanceKey;
  /** The version of the status row. */
  readonly version: number;
  /** True if events of the instance are parked. Its timers fire after the parked events are applied. */
  readonly hasParked: boolean;
  /** The running timers, sorted by due time. */
  readonly timers: readonly Timer[];
  /**
   * When the instance becomes late, RFC 3339 in UTC, to the millisecond; undefined if it does not, or if the row already
   * states that it is late.
   */
  readonly lateAt: string | undefined;
}

/**
 * The index of due timers, and of deadlines that pass without an event. It is derived from the status rows and is
 * eventually consistent.
 */
export interface DueTimerIndex {
  /** Lists the shards of the index, which can be read independently. */
  shards(): Promise<readonly string[]>;
  /**
   * Lists the instances of a shard that have a due timer or a passed deadline, in pages, with the earliest time first.
   *
   * @param by the latest time to include, RFC 3339 in UTC, to the millisecond.
   */
  dueInstances(shard: string, by: string): AsyncIterable<readonly InstanceKey[]>;
  /**
   * Returns the due time of the first timer of a shard that is due after `after` and by `by`, both RFC 3339 in UTC, to
   * the millisecond; undefined if there is none.
   */
  nextDue(shard: string, after: string, by: string): Promise<string | undefined>;
  /** Reads the current timers of instances; undefined for an instance without a status row. */
  readTimers(
    instances: readonly InstanceKey[],
  ): Promise<SettledResult<InstanceTimers | undefined>[]>;
  /** Records visits to instances. An instance whose status row has changed in the meantime is visited again. */
  record(visits: readonly Visit[]): Promise<SettledResult<void>[]>;
}

/** A visit of the clock to an instance. */
export interface Visit extends Pick<InstanceTimers, 'instance' | 'version'> {
  /**
   * When the index contains the instance again, RFC 3339 in UTC, to the millisecond. Default: when its status row
   * changes.
   */
  readonly next?: string;
  /** The deadline that has passed, if the status row must state that the instance is late. */
  readonly lateSince?: string;
}
