import type { InstanceKey } from '../event/event.ts';
import type { Head } from '../history/commit.ts';

/** What lists say of an instance; it follows from one of the instance's commits. */
export interface StatusRow extends InstanceKey {
  readonly version: number;
  readonly modelVersion: number;
  readonly status: string;
  readonly done: boolean;
  readonly progress: number | null;
  /** Null while every event was rejected: lists leave the instance out then. */
  readonly startedAt: string | null;
  readonly updatedAt: string;
  readonly statusSince: string;
  /** When its next timer is due, RFC 3339 in UTC; null when none runs. */
  readonly dueAt: string | null;
  /** From when on it is late, RFC 3339 in UTC; null where it will not be. */
  readonly lateAt: string | null;
  /** What business calls it by: see `keysOf`. */
  readonly keys: readonly string[];
  /** How many of its events are parked. */
  readonly parked: number;
}

/** The status of an instance whose very first event is parked, so that its model never said any. */
export const parkedStatus = 'Parked';

/**
 * Whether a commit changes what lists look instances up by, or when the next timer is due. Where
 * it does not, the row stays as it is: lists find out by themselves how far the instance is since.
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

/** The row that a commit leads to. */
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
