import type { Timer } from '../core/effects/timer.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { SettledResult } from '../stores/settled-result.ts';

/** An instance with running timers, according to its status row, which may lag behind the commits. */
export interface InstanceTimers {
  readonly instance: InstanceKey;
  /** The version of the status row. */
  readonly version: number;
  /** True if events of the instance are parked: its timers fire after them. */
  readonly hasParked: boolean;
  /** The running timers, sorted by due time. */
  readonly timers: readonly Timer[];
}

/** The index of due timers. It is derived from the status rows and is eventually consistent. */
export interface DueTimerIndex {
  /** The shards of the index, to be read independently. */
  readonly shards: readonly string[];
  /**
   * The instances of a shard with a due timer, in pages, the earliest due time first.
   *
   * @param by RFC 3339 in UTC, to the millisecond.
   */
  dueInstances(shard: string, by: string): AsyncIterable<readonly InstanceKey[]>;
  /** Reads the current timers of instances; undefined for an instance without a status row. */
  readTimers(
    instances: readonly InstanceKey[],
  ): Promise<SettledResult<InstanceTimers | undefined>[]>;
  /** Hides instances from the index until a time, unless their status rows change first. */
  postpone(postponed: readonly Postponement[]): Promise<SettledResult<void>[]>;
}

/** An instance to hide from the index for a while. */
export interface Postponement extends Pick<InstanceTimers, 'instance' | 'version'> {
  /** RFC 3339 in UTC, to the millisecond. */
  readonly until: string;
}
