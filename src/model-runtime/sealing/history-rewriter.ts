import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit } from '../../core/history/commit.ts';

export interface RewrittenPage {
  /** The number of commits of the page that contained personal data and were rewritten. */
  readonly rewritten: number;
  /** The version of the first commit after the page; undefined at the end of the history. */
  readonly next?: number;
}

/** A rewriter of stored commits, which removes personal data. */
export interface HistoryRewriter {
  /**
   * Replaces the data, states and effects of a page of commits, oldest first. The other parts of a commit do not
   * change: its version, the ids and the order of its events, and the fingerprints. The original content is deleted.
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
