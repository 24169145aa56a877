import type { InstanceKey } from '../event/event.ts';
import type { Head } from '../history/commit.ts';

/** The fields of an instance that lists show. `statusRow` derives them from a commit. */
export interface StatusRow extends InstanceKey {
  readonly version: number;
  readonly modelVersion: number;
  readonly status: string;
  readonly done: boolean;
  readonly progress: number | null;
  /**
   * When the instance started, RFC 3339 in UTC; null if all events so far were rejected. Lists omit instances that
   * have not started.
   */
  readonly startedAt: string | null;
  readonly updatedAt: string;
  readonly statusSince: string;
  /** When the next timer is due, RFC 3339 in UTC; null if no timer is running. */
  readonly dueAt: string | null;
  /** When the instance becomes late, RFC 3339 in UTC; null if it will not. */
  readonly lateAt: string | null;
  /** The business keys: see `keysOf`. */
  readonly keys: readonly string[];
  /** The number of parked events. */
  readonly parked: number;
}

/** The status of an instance that its model has never described, because the first event is parked. */
export const parkedStatus = 'Parked';

/**
 * True if a commit changes a field that lists filter or sort on, or the time of the next timer. Otherwise, the row is
 * not written, and lists read the newer version from the commits.
 */
export function changesStatusRow(before: Head | undefined, after: Head): boolean {
  return (
    !before ||
    before.startedAt !== after.startedAt ||
    before.description.status !== after.description.status ||
    (before.description.done ?? false) !== (after.description.done ?? false) ||
    before.progress !== after.progress ||
    before.lateAt !== after.lateAt ||
    JSON.stringify(before.description.keys) !== JSON.stringify(after.description.keys) ||
    JSON.stringify(before.timers) !== JSON.stringify(after.timers)
  );
}

/** Derives the status row from a commit. */
export function statusRow(commit: Head, parked = 0): StatusRow {
  return {
    model: commit.model,
    transaction: commit.transaction,
    version: commit.version,
    modelVersion: commit.modelVersion,
    status: commit.description.status,
    done: commit.description.done ?? false,
    progress: commit.progress,
    startedAt: commit.startedAt,
    updatedAt: commit.at,
    statusSince: commit.statusSince,
    dueAt: commit.timers[0]?.dueAt ?? null,
    lateAt: commit.lateAt,
    keys: commit.startedAt === null ? [] : (commit.description.keys ?? []),
    parked,
  };
}
