import type { InstanceKey } from '../core/event/event.ts';
import type { Commit, CommitSummary, Head } from '../core/history/commit.ts';
import type { SeenLimits } from '../core/history/seen-runs.ts';
import type { SettledResult } from './settled-result.ts';

/** An instance as of a consistent read. */
export interface ConsistentRead {
  /** The latest commit; undefined if there is none. */
  readonly commit: Commit | undefined;
  /** True if the instance has parked events. Later events must then be queued behind the parked events. */
  readonly hasParked: boolean;
}

/** An instance as of an optimistic read. The data can be stale. */
export interface OptimisticRead {
  /** The instance after one of its commits, usually the latest; undefined if no commit was found. */
  readonly head: Head | undefined;
  /** True if the instance may have parked events. If false, the instance had none before the call. */
  readonly mayHaveParked: boolean;
}

/** A search for events in an instance's sorted runs. */
export interface SeenLookup {
  readonly head: Pick<Head, 'model' | 'transaction' | 'seen'>;
  readonly fingerprints: readonly number[];
}

/** The versions of the commits that may contain an event, by event fingerprint. */
export type FlushedVersions = ReadonlyMap<number, readonly number[]>;

/** Stores commits and status rows. Most methods accept many instances and return a result for each. */
export interface InstanceStore {
  /**
   * Reads instances, usually with fewer requests than `readConsistent`. A head can be stale, so use it only as the
   * basis of a commit: a commit that is based on a stale head results in a conflict.
   */
  readOptimistic(keys: readonly InstanceKey[]): Promise<SettledResult<OptimisticRead>[]>;
  /** Reads instances with strong consistency. */
  readConsistent(keys: readonly InstanceKey[]): Promise<SettledResult<ConsistentRead>[]>;
  /** Writes each commit if its version does not exist yet; otherwise, the result is `conflict`. */
  commit(commits: readonly Commit[]): Promise<SettledResult<'committed' | 'conflict'>[]>;
  /**
   * Finds the commits that may contain events with the given fingerprints. Searches only sorted runs.
   *
   * @returns for each lookup, the versions of the commits by fingerprint.
   */
  findFlushed(lookups: readonly SeenLookup[]): Promise<SettledResult<FlushedVersions>[]>;
  /**
   * Flushes each instance's recent events into sorted runs.
   *
   * @returns the heads on which the next commits are based.
   */
  flushSeen(heads: readonly Head[], limits: SeenLimits): Promise<SettledResult<Head>[]>;
  /**
   * Adds each instance's entries to the key index, and updates its status row to the given head, unless the row already
   * has that version or a later version.
   */
  writeStatus(heads: readonly Head[]): Promise<SettledResult<void>[]>;
  /**
   * Reads an instance's last commit at or before a time; returns undefined if there is none.
   *
   * @param at the time, RFC 3339 in UTC, with milliseconds.
   */
  commitAsOf(key: InstanceKey, at: string): Promise<Commit | undefined>;
  /** Reads an instance's commits before a version, newest first. */
  commitsBefore(key: InstanceKey, version: number): AsyncIterable<Commit>;
  /**
   * Reads the summaries of an instance's commits before a version, newest first. Each request reads many commits, but
   * no data that is stored outside the commit items.
   */
  summariesBefore(key: InstanceKey, version: number): AsyncIterable<CommitSummary>;
  /** Reads the summaries of the commits with these versions and returns them in any order. */
  summariesAt(key: InstanceKey, versions: readonly number[]): Promise<readonly CommitSummary[]>;
  /** Reads at most `limit` commits, starting at a version, oldest first. `more` is true if later commits exist. */
  commitsFrom(
    key: InstanceKey,
    version: number,
    limit: number,
  ): Promise<{ readonly commits: readonly Commit[]; readonly more: boolean }>;
}
