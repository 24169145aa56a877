import type { Timer } from '../core/effects/timer.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { SettledResult } from '../stores/settled-result.ts';

/** An instance of which timers run, as its status row has it; that may lag behind the commits. */
export interface InstanceTimers {
  readonly instance: InstanceKey;
  /** The version of the row. */
  readonly version: number;
  /** True when events of it are parked: its timers fire after them. */
  readonly hasParked: boolean;
  /** By when they are due. */
  readonly timers: readonly Timer[];
}

/** Which timers are due. It follows from the status rows, and lags a moment behind them. */
export interface DueTimerIndex {
  /** Its parts: each is walked by itself. */
  readonly shards: readonly string[];
  /**
   * The instances of a part of which a timer is due, in pages, the one due first at the front.
   *
   * @param by RFC 3339 in UTC, to the millisecond.
   */
  dueInstances(shard: string, by: string): AsyncIterable<readonly InstanceKey[]>;
  /** How each is now; undefined where there is no status row. */
  readTimers(
    instances: readonly InstanceKey[],
  ): Promise<SettledResult<InstanceTimers | undefined>[]>;
  /** Has each not be due before a moment, unless its status row was written anew. */
  postpone(postponed: readonly Postponement[]): Promise<SettledResult<void>[]>;
}

/** An instance that is to be left alone for a while. */
export interface Postponement extends Pick<InstanceTimers, 'instance' | 'version'> {
  /** RFC 3339 in UTC, to the millisecond. */
  readonly until: string;
}
