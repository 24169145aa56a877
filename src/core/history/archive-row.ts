import type { Commit } from './commit.ts';

/** The types that a column of the archive may have, as Athena calls them. */
type ColumnType = 'string' | 'int' | 'bigint' | 'double' | 'boolean';

/**
 * The columns of the archive's table: a row is an event of an instance's history. `model` and `day` are what
 * it is partitioned by, and no columns of their own.
 */
export const archiveColumns = {
  transaction_id: { type: 'string', about: 'names the instance, together with the model' },
  version: { type: 'bigint', about: 'the commit that the event was applied in' },
  place: { type: 'int', about: 'which event of that commit, from 0' },
  at: { type: 'string', about: 'when it was applied, RFC 3339 in UTC' },
  event_id: { type: 'string', about: 'names the event, together with its source' },
  source: { type: 'string', about: 'who said so' },
  type: { type: 'string', about: 'what happened' },
  time: { type: 'string', about: 'when it happened, RFC 3339 in UTC' },
  outcome: { type: 'string', about: 'applied or rejected' },
  reason: { type: 'string', about: 'why it was rejected' },
  status: { type: 'string', about: 'of the instance, after the event' },
  data: { type: 'string', about: "the event's data, JSON" },
  state: { type: 'string', about: 'of the instance, after the event, JSON' },
  cut: { type: 'boolean', about: 'true where data and state were too large and are left out' },
  done: { type: 'boolean', about: 'nothing more is expected, after the commit' },
  progress: { type: 'double', about: '0 to 1, after the commit' },
  model_version: { type: 'int', about: 'of the model that applied it' },
  started_at: {
    type: 'string',
    about: 'when the instance began, RFC 3339 in UTC; null until an event is applied',
  },
} as const satisfies Readonly<Record<string, { type: ColumnType; about: string }>>;

/** A row, and what it is partitioned by. */
export type ArchiveRow = { readonly model: string; readonly day: string } & Readonly<
  Record<keyof typeof archiveColumns, string | number | boolean | null>
>;

/** The rows of a commit. */
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

/** The most bytes of a line: Firehose takes 1,000 KiB in a record. */
const maximumLineBytes = 1_000_000;

/** A row as a line of JSON, without its data and state where that would be too long. */
export function archiveLine(row: ArchiveRow): string {
  const line = `${JSON.stringify(row)}\n`;
  if (Buffer.byteLength(line) <= maximumLineBytes) return line;
  return `${JSON.stringify({ ...row, data: null, state: null, cut: true })}\n`;
}
