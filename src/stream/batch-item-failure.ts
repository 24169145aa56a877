import type { StreamRecord } from './stream-record.ts';

/** A record that could not be processed and has to be delivered again. */
export interface BatchItemFailure {
  readonly record: StreamRecord;
  readonly reason: string;
}
