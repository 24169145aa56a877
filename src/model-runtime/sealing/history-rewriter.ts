import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit } from '../../core/history/commit.ts';

export interface RewrittenPage {
  /** The number of commits in the page that contained personal data and were rewritten. */
  readonly rewritten: number;
  /** The version of the first commit after the page; undefined at the end of the history. */
  readonly next?: number;
}

/** Rewrites stored commits to remove personal data. */
export interface HistoryRewriter {
  /**
   * Replaces the data, reasons, states, and effects in a page of commits, oldest first. The rest of a commit does not
   * change: its version, the ids and order of its events, and the fingerprints. The original content is deleted.
   * Repeated and concurrent calls are safe.
   *
   * @param change receives a stored commit; returns undefined to leave the commit unchanged.
   */
  rewrite(
    instance: InstanceKey,
    from: number,
    change: (stored: Commit) => Commit | undefined,
  ): Promise<RewrittenPage>;
}
