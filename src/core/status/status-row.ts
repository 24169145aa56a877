import type { InstanceKey } from '../event/event.ts';
import type { Head } from '../history/commit.ts';

/** The fields of an instance that lists show. They are derived from one of the instance's commits. */
export interface StatusRow extends InstanceKey {
  readonly version: number;
  readonly modelVersion: number;
  readonly status: string;
  readonly done: boolean;
  readonly progress: number | null;
  /** Null while every event was rejected. Lists omit such an instance. */
  readonly startedAt: string | null;
  readonly updatedAt: string;
  readonly statusSince: string;
  /** When its next timer is due, RFC 3339 in UTC; null if none is running. */
  readonly dueAt: string | null;
  /** When it becomes late, RFC 3339 in UTC; null if it will not. */
  readonly lateAt: string | null;
  /** The business keys: see `keysOf`. */
  readonly keys: readonly string[];
  /** The number of parked events. */
  readonly parked: number;
}

/** The status of an instance whose first event is parked, so that its model never described it. */
export const parkedStatus = 'Parked';

/**
 * True if a commit changes a field that lists filter or sort on, or the time of the next timer. Otherwise, the row
 * is not written, and lists read the newer version from the commits.
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
