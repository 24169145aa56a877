import type { ArchiveRow } from '../../archiver/archive-row.ts';

/** The types that a column of the archive may have, as Athena calls them. */
type ColumnType = 'string' | 'int' | 'bigint' | 'double' | 'boolean';

/** The columns of the archive's table; the table is partitioned by `model` and `day`, which are no columns. */
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
} as const satisfies Readonly<
  Record<Exclude<keyof ArchiveRow, 'model' | 'day'>, { type: ColumnType; about: string }>
>;
