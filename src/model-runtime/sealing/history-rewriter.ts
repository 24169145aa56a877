import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit } from '../../core/history/commit.ts';

/** Part of a history that was rewritten. */
export interface RewrittenPage {
  /** How many of its commits were written again. */
  readonly rewritten: number;
  /** The version to continue at; undefined at the end of the history. */
  readonly next?: number;
}

/** Takes personal data out of commits that are stored already. */
export interface HistoryRewriter {
  /**
   * Replaces the data, states and effects of some commits, oldest first. Everything else about a commit
   * stays: its version, its events' ids and order, and what recognizes duplicates. What the commits held
   * before is deleted. Doing it again, or at the same time, changes nothing.
   *
   * @param change is given a commit as it is stored; undefined: it stays as it is.
   */
  rewrite(
    instance: InstanceKey,
    from: number,
    change: (stored: Commit) => Commit | undefined,
  ): Promise<RewrittenPage>;
}
