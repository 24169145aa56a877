import type { InstanceKey } from '../core/event/event.ts';
import type { Commit, CommitSummary, Head } from '../core/history/commit.ts';
import type { SeenLimits } from '../core/history/seen-runs.ts';
import type { SettledResult } from './settled-result.ts';

/** The current data of an instance. */
export interface ConsistentRead {
  /** The latest commit; undefined if there is none. */
  readonly commit: Commit | undefined;
  /** True if the instance has parked events: later events wait behind them. */
  readonly hasParked: boolean;
}

/** The possibly stale data of an instance. */
export interface OptimisticRead {
  /** The instance after one of its commits, usually the latest. */
  readonly head: Head | undefined;
  /** True if the instance may have parked events. If false, it had none before the call. */
  readonly mayHaveParked: boolean;
}

/** A search for events in the sorted runs of an instance. */
export interface SeenLookup {
  readonly head: Pick<Head, 'model' | 'transaction' | 'seen'>;
  readonly fingerprints: readonly number[];
}

/** By fingerprint, the versions of the commits that may contain the event. */
export type FlushedVersions = ReadonlyMap<number, readonly number[]>;

/** Stores commits and status rows. Calls take many instances and return a result for each. */
export interface InstanceStore {
  /**
   * Reads instances with fewer requests than `readConsistent`. If a head is stale, a commit based on it
   * ends in a conflict. Draw no other conclusions from it.
   */
  readOptimistic(keys: readonly InstanceKey[]): Promise<SettledResult<OptimisticRead>[]>;
  /** Reads instances, strongly consistent. */
  readConsistent(keys: readonly InstanceKey[]): Promise<SettledResult<ConsistentRead>[]>;
  /** Writes each commit if its version does not exist yet; `conflict` if another writer was first. */
  commit(commits: readonly Commit[]): Promise<SettledResult<'committed' | 'conflict'>[]>;
  /**
   * Finds the commits that may contain events, among those whose events were flushed into sorted runs.
   *
   * @returns the versions of the commits by fingerprint, for each lookup.
   */
  findFlushed(lookups: readonly SeenLookup[]): Promise<SettledResult<FlushedVersions>[]>;
  /**
   * Flushes the recent events of each instance into sorted runs.
   *
   * @returns the heads that the next commits are based on.
   */
  flushSeen(heads: readonly Head[], limits: SeenLimits): Promise<SettledResult<Head>[]>;
  /** Updates each instance's status row to this commit, unless the row is already newer. */
  writeStatus(heads: readonly Head[]): Promise<SettledResult<void>[]>;
  /**
   * The last commit of an instance at or before a time; undefined if there is none.
   *
   * @param at RFC 3339 in UTC, to the millisecond.
   */
  commitAsOf(key: InstanceKey, at: string): Promise<Commit | undefined>;
  /** The commits of an instance before a version, newest first. */
  commitsBefore(key: InstanceKey, version: number): AsyncIterable<Commit>;
  /**
   * The summaries of an instance's commits before a version, newest first. Reads many commits with each
   * request, and none of the data that is stored outside the commit item.
   */
  summariesBefore(key: InstanceKey, version: number): AsyncIterable<CommitSummary>;
  /** The summaries of the commits with these versions, in any order. */
  summariesAt(key: InstanceKey, versions: readonly number[]): Promise<readonly CommitSummary[]>;
  /** Reads commits from a version on, oldest first, and whether there are more after them. */
  commitsFrom(
    key: InstanceKey,
    version: number,
    limit: number,
  ): Promise<{ readonly commits: readonly Commit[]; readonly more: boolean }>;
}
