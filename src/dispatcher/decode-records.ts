import { decodeEvent, type EventHints } from '../core/event/event.ts';
import type { ReceivedEvent } from '../stream/received-event.ts';
import type { StreamRecord } from '../stream/stream-record.ts';
import type { RejectedRecord } from './failures/rejected-record.ts';

/** The user records that the Kinesis Producer Library aggregated into a stream record. */
export interface UserRecords {
  readonly records: readonly StreamRecord[];
  /** The stream record and the reason that decoding was incomplete; undefined if decoding was complete. */
  readonly refused?: { readonly record: StreamRecord; readonly reason: string };
}

/** Extracts the user records from a stream record. If the record is not aggregated, it is the only user record. */
export type Deaggregate = (record: StreamRecord) => UserRecords;

/** The events in a batch, and the records that become dead letters. */
export interface DecodedRecords {
  /** The valid events, in stream order. */
  readonly events: readonly ReceivedEvent[];
  /** The records that are not valid events, and the aggregated records that could not be decoded completely. */
  readonly rejected: readonly RejectedRecord[];
}

/** Decodes the events in a batch of stream records. */
export function decodeRecords(
  streamRecords: readonly StreamRecord[],
  deaggregate: Deaggregate,
): DecodedRecords {
  const events: ReceivedEvent[] = [];
  const rejected: RejectedRecord[] = [];
  for (const streamRecord of streamRecords) {
    const { records, refused } = deaggregate(streamRecord);
    if (refused) rejected.push({ ...refused, hints: noHints });
    for (const record of records) {
      const decoded = decodeEvent(record.data, record.arrivedAt);
      if (decoded.ok) events.push({ record, event: decoded.event, trace: decoded.trace });
      else rejected.push({ record, reason: decoded.reason, hints: decoded.hints });
    }
  }
  return { events, rejected };
}

const noHints: EventHints = { modelId: null, transactionId: null, eventId: null };
