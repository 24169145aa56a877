import type { CommitSummary, Head } from '../../core/history/commit.ts';
import { fingerprintOf, flushedVersion } from '../../core/history/seen.ts';
import {
  planFlush,
  type SeenEntry,
  type SeenLimits,
  type SeenRun,
} from '../../core/history/seen-runs.ts';
import type { SeenRunStore } from './seen-run-store.ts';

/**
 * Flushes an instance's recent events into a sorted run and merges runs as planned by `planFlush`.
 *
 * The runs depend only on the history up to this head, so concurrent writers write the same pages. Pages that no commit
 * refers to, for example, after a crash, are harmless.
 *
 * @param summaries the instance's commits up to this head, newest first.
 * @returns the head on which the next commit is based. It refers to the runs.
 */
export async function flushSeen(
  store: SeenRunStore,
  head: Head,
  summaries: AsyncIterable<CommitSummary>,
  limits: SeenLimits,
): Promise<Head> {
  const flushedTo = flushedVersion(head.seen);
  const entries: SeenEntry[] = [];
  for await (const { version, events } of summaries) {
    if (version <= flushedTo) break;
    for (const event of events) entries.push({ fingerprint: fingerprintOf(event), version });
  }
  const flushed: SeenRun = { to: head.version, flushes: 1, count: entries.length };
  const { runs, merges } = planFlush(head.seen.runs, flushed, limits);
  for (const { result, sources } of merges) {
    const merged: SeenEntry[] = [];
    for (const source of sources)
      for (const entry of source === flushed ? entries : await store.entriesOf(head, source))
        merged.push(entry);
    await store.write(head, result, merged);
  }
  return { ...head, seen: { runs, base: 0, recent: [], since: [] } };
}
