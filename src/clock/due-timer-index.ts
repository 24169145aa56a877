import type { Timer } from '../core/effects/timer.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { SettledResult } from '../stores/settled-result.ts';

/**
 * An instance with running timers or an upcoming deadline. The data comes from its status row, which can lag behind the
 * commits.
 */
export interface InstanceTimers {
  readonly instance: InstanceKey;
  /** The version of the status row. */
  readonly version: number;
  /** True if the instance has parked events. The instance's timers fire after the parked events are applied. */
  readonly hasParked: boolean;
  /** The running timers, sorted by due time. */
  readonly timers: readonly Timer[];
  /**
   * When the instance becomes late, RFC 3339 in UTC, with milliseconds; undefined if it does not become late or its row
   * is already marked as late.
   */
  readonly lateAt: string | undefined;
}

/**
 * The index of due timers and of deadlines that pass without an event. It is derived from the status rows and is
 * eventually consistent.
 */
export interface DueTimerIndex {
  /** Lists the index's partitions, which can be read independently. */
  partitions(): Promise<readonly string[]>;
  /**
   * Lists the instances in a partition that have a due timer or a passed deadline, in pages, earliest first.
   *
   * @param by the latest time to include, RFC 3339 in UTC, with milliseconds.
   */
  dueInstances(partition: string, by: string): AsyncIterable<readonly InstanceKey[]>;
  /**
   * Returns the earliest time in a partition that is later than `after` and not later than `by`; undefined if there is
   * none. All times are RFC 3339 in UTC, with milliseconds.
   */
  nextDue(partition: string, after: string, by: string): Promise<string | undefined>;
  /**
   * Reads the timers of instances; undefined for an instance without a status row.
   *
   * @throws Error if the reads of all instances fail permanently.
   */
  readTimers(
    instances: readonly InstanceKey[],
  ): Promise<SettledResult<InstanceTimers | undefined>[]>;
  /** Records visits to instances. An instance whose status row has changed in the meantime is visited again. */
  record(visits: readonly Visit[]): Promise<SettledResult<void>[]>;
}

/** A visit to an instance by the clock. */
export interface Visit extends Pick<InstanceTimers, 'instance' | 'version'> {
  /**
   * When the clock must visit the instance next, RFC 3339 in UTC, with milliseconds. Default: the clock does not visit
   * the instance again until the status row changes.
   */
  readonly next?: string;
  /** The passed deadline, if the status row must be marked as late; otherwise undefined. */
  readonly lateSince?: string;
}
