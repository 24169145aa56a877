import type { BatchItemFailure } from '../../stream/batch-item-failure.ts';
import type { RejectedRecord } from './rejected-record.ts';

/** The records in a batch that were not processed. */
export interface BatchFailures {
  /** The records to redeliver. */
  readonly failures: readonly BatchItemFailure[];
  /** The records that become dead letters. */
  readonly rejected: readonly RejectedRecord[];
}
