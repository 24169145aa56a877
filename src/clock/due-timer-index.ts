import type { Timer } from '../core/effects/timer.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { SettledResult } from '../stores/settled-result.ts';

/** An instance with running timers, according to its status row, which may lag behind the commits. */
export interface InstanceTimers {
  readonly instance: InstanceKey;
  /** The version of the status row. */
  readonly version: number;
  /** True if events of the instance are parked. Its timers fire after the parked events are applied. */
  readonly hasParked: boolean;
  /** The running timers, sorted by due time. */
  readonly timers: readonly Timer[];
}

/** The index of due timers. It is derived from the status rows and is eventually consistent. */
export interface DueTimerIndex {
  /** The shards of the index, which can be read independently. */
  readonly shards: readonly string[];
  /**
   * Lists the instances of a shard that have a due timer, in pages, with the earliest due time first.
   *
   * @param by the latest due time to include, RFC 3339 in UTC, to the millisecond.
   */
  dueInstances(shard: string, by: string): AsyncIterable<readonly InstanceKey[]>;
  /** Reads the current timers of instances; undefined for an instance without a status row. */
  readTimers(
    instances: readonly InstanceKey[],
  ): Promise<SettledResult<InstanceTimers | undefined>[]>;
  /** Hides instances from the index until the given time, or until their status rows change. */
  postpone(postponed: readonly Postponement[]): Promise<SettledResult<void>[]>;
}

/** A request to hide an instance from the index for a while. */
export interface Postponement extends Pick<InstanceTimers, 'instance' | 'version'> {
  /** When the instance becomes visible again, RFC 3339 in UTC, to the millisecond. */
  readonly until: string;
}
