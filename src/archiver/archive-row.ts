import type { Commit } from '../core/history/commit.ts';

/** A row in the archive: one event in an instance's history. `archiveColumns` describes the columns. */
export interface ArchiveRow {
  /** The model's id. The archive is partitioned by model and day. */
  readonly model: string;
  /** The commit's day in UTC, such as `2026-01-31`. */
  readonly day: string;
  readonly transaction_id: string;
  readonly version: number;
  readonly place: number;
  readonly at: string;
  readonly event_id: string;
  readonly source: string;
  readonly type: string;
  readonly time: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly status: string;
  /** The event's data, as JSON; null if `cut` is true. */
  readonly data: string | null;
  /** The state after the event, as JSON; null if `cut` is true. */
  readonly state: string | null;
  /** True if the data and the state are omitted because the row would be too large. */
  readonly cut: boolean;
  readonly done: boolean;
  readonly progress: number | null;
  readonly model_version: number;
  readonly started_at: string | null;
}

/** Returns a commit's rows, one for each event. */
export function archiveRows(commit: Commit): ArchiveRow[] {
  return commit.entries.map(({ event, data, outcome, reason, status, state }, place) => ({
    model: commit.model,
    day: commit.at.slice(0, 10),
    transaction_id: commit.transaction,
    version: commit.version,
    place,
    at: commit.at,
    event_id: event.id,
    source: event.source,
    type: event.type,
    time: event.time,
    outcome,
    reason,
    status,
    data,
    state,
    cut: false,
    done: commit.description.done ?? false,
    progress: commit.progress,
    model_version: commit.modelVersion,
    started_at: commit.startedAt,
  }));
}
