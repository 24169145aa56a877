import type { BatchItemFailure } from '../../stream/batch-item-failure.ts';
import type { RejectedRecord } from './rejected-record.ts';

/** The records of a batch that were not processed. */
export interface BatchFailures {
  /** To be delivered again. */
  readonly failures: readonly BatchItemFailure[];
  /** To become dead letters. */
  readonly rejected: readonly RejectedRecord[];
}
