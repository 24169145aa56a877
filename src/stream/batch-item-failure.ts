import type { StreamRecord } from './stream-record.ts';

/** A record that could not be processed and must be redelivered. */
export interface BatchItemFailure {
  readonly record: StreamRecord;
  readonly reason: string;
}
