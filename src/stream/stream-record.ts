import { isLaterSequence, type StreamPosition } from '../core/history/sequence.ts';

/** A record as the stream delivered it, or a user record from an aggregated record. */
export interface StreamRecord {
  /**
   * Identifies the record in the stream: its shard and sequence number and, for a user record, its place in the
   * aggregated record.
   */
  readonly recordId: string;
  readonly position: StreamPosition;
  readonly partitionKey: string;
  /** When the stream received the record, in milliseconds since 1970. */
  readonly arrivedAt: number;
  readonly data: Uint8Array;
  /**
   * The aggregated record that contains this user record. The stream can only redeliver an aggregated record as a
   * whole.
   */
  readonly aggregatedRecord?: StreamRecord;
}

/** Returns the highest position among the given records, which must all come from the same shard. */
export function lastPosition(records: readonly StreamRecord[]): StreamPosition {
  return records
    .map(({ position }) => position)
    .reduce((last, each) => (isLaterSequence(each.sequence, last.sequence) ? each : last));
}
