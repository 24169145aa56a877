import type { StreamPosition } from '../core/history/commit.ts';
import { isLaterSequence } from '../core/history/sequence.ts';

/** A record as the stream delivered it, or one of several events that came in it. */
export interface StreamRecord {
  /** Names it among all records of the stream: its shard and sequence number. */
  readonly recordId: string;
  readonly position: StreamPosition;
  readonly partitionKey: string;
  /** When the stream took it, in milliseconds since 1970. */
  readonly arrivedAt: number;
  readonly data: Uint8Array;
  /** The record that it came in: it can only be delivered again as a whole. */
  readonly aggregatedRecord?: StreamRecord;
}

/** The position of the last of some records of a shard. */
export function lastPosition(records: readonly StreamRecord[]): StreamPosition {
  return records
    .map(({ position }) => position)
    .reduce((last, each) => (isLaterSequence(each.sequence, last.sequence) ? each : last));
}
