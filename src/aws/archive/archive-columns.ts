import type { ArchiveRow } from '../../archiver/archive-row.ts';

/** The Athena types of archive columns. */
type ColumnType = 'string' | 'int' | 'bigint' | 'double' | 'boolean';

/** The columns of the archive table, except the partition keys `model` and `day`. */
export const archiveColumns = {
  transaction_id: { type: 'string', about: 'together with `model`, identifies the instance' },
  version: { type: 'bigint', about: 'the number of the commit that contains the event' },
  place: { type: 'int', about: 'the index of the event within the commit, from 0' },
  at: {
    type: 'string',
    about: 'when the event was recorded, which is the time of the commit; RFC 3339 in UTC',
  },
  event_id: { type: 'string', about: 'together with `source`, identifies the event' },
  source: { type: 'string', about: 'the system that reported the event' },
  type: { type: 'string', about: 'the event type' },
  time: {
    type: 'string',
    about: 'when the event happened, according to its sender; RFC 3339 in UTC',
  },
  outcome: { type: 'string', about: '`applied` or `rejected`' },
  reason: { type: 'string', about: 'the reason for a rejection; null if the event was applied' },
  status: { type: 'string', about: 'the status of the instance after the event' },
  data: { type: 'string', about: "the event's data as JSON" },
  state: { type: 'string', about: 'the state of the instance after the event, as JSON' },
  cut: { type: 'boolean', about: 'true if `data` and `state` are omitted because of their size' },
  done: { type: 'boolean', about: 'true if the instance is done after the commit' },
  progress: {
    type: 'double',
    about: 'the progress after the commit, from 0 to 1; null if it is unknown',
  },
  model_version: { type: 'int', about: 'the version of the model that processed the event' },
  started_at: {
    type: 'string',
    about:
      'the earliest event time of the events applied up to this commit, except timer events; RFC 3339 in UTC; null until such an event is applied',
  },
} as const satisfies Readonly<
  Record<Exclude<keyof ArchiveRow, 'model' | 'day'>, { type: ColumnType; about: string }>
>;
