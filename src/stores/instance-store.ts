import type { InstanceKey } from '../core/event/event.ts';
import type { Commit, CommitSummary, Head } from '../core/history/commit.ts';
import type { SeenLimits } from '../core/history/seen-runs.ts';
import type { SettledResult } from './settled-result.ts';

/** How far an instance is. */
export interface ConsistentRead {
  /** Its newest commit; undefined when it has none. */
  readonly commit: Commit | undefined;
  /** True when events of it are parked: whatever comes now waits behind them. */
  readonly hasParked: boolean;
}

/** How far an instance is as far as can be told quickly. */
export interface OptimisticRead {
  /** As some commit left it: most often the newest. */
  readonly head: Head | undefined;
  /** True when events of it may be parked. When it is false, none was before the call. */
  readonly mayHaveParked: boolean;
}

/** A search for events in the sorted runs of an instance. */
export interface SeenLookup {
  readonly head: Pick<Head, 'model' | 'transaction' | 'seen'>;
  readonly fingerprints: readonly number[];
}

/** By fingerprint, the versions of the commits that may hold the event. */
export type FlushedVersions = ReadonlyMap<number, readonly number[]>;

/** Where commits and status rows are kept. Calls take many instances, with an answer for each. */
export interface InstanceStore {
  /**
   * How far each is, in fewer requests than `newest` takes. Where a head is an older one, the
   * commit that is made from it ends in a conflict; nothing else may be concluded from it.
   */
  readOptimistic(keys: readonly InstanceKey[]): Promise<SettledResult<OptimisticRead>[]>;
  /** How far each is, strongly consistent. */
  readConsistent(keys: readonly InstanceKey[]): Promise<SettledResult<ConsistentRead>[]>;
  /** Writes each commit if its version is still free; `conflict` when another was first. */
  commit(commits: readonly Commit[]): Promise<SettledResult<'committed' | 'conflict'>[]>;
  /**
   * Finds the commits that may hold events, among those whose events were flushed into sorted runs.
   *
   * @returns for each lookup, the versions of the commits by fingerprint.
   */
  findFlushed(lookups: readonly SeenLookup[]): Promise<SettledResult<FlushedVersions>[]>;
  /**
   * Flushes the recent events of each instance into sorted runs.
   *
   * @returns the heads from which the next commits are made.
   */
  flushSeen(heads: readonly Head[], limits: SeenLimits): Promise<SettledResult<Head>[]>;
  /** Brings each instance's status row up to this commit, unless it is further already. */
  writeStatus(heads: readonly Head[]): Promise<SettledResult<void>[]>;
  /**
   * The last commit of an instance that was made at or before a moment; undefined where there is none.
   *
   * @param at RFC 3339 in UTC, to the millisecond.
   */
  commitAsOf(key: InstanceKey, at: string): Promise<Commit | undefined>;
  /** The commits of an instance before a version, newest first. */
  commitsBefore(key: InstanceKey, version: number): AsyncIterable<Commit>;
  /**
   * The summaries of an instance's commits before a version, newest first. Reads many commits with each
   * request and none of the data that is stored apart from them.
   */
  summariesBefore(key: InstanceKey, version: number): AsyncIterable<CommitSummary>;
  /** The summaries of the commits with these versions, in no set order. */
  summariesAt(key: InstanceKey, versions: readonly number[]): Promise<readonly CommitSummary[]>;
  /** Some commits from a version on, oldest first, and whether there are more behind them. */
  commitsFrom(
    key: InstanceKey,
    version: number,
    limit: number,
  ): Promise<{ readonly commits: readonly Commit[]; readonly more: boolean }>;
}
