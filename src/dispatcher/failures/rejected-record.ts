import type { EventHints } from '../../core/event/event.ts';
import type { ReceivedEvent } from '../../stream/received-event.ts';
import type { StreamRecord } from '../../stream/stream-record.ts';

/** A record that becomes a dead letter because redelivering it would not help. */
export interface RejectedRecord {
  readonly record: StreamRecord;
  readonly reason: string;
  /** The ids in the record. An id that could not be read is null. */
  readonly hints: EventHints;
}

/** Rejects the record of an event, with the event's ids as hints. */
export function rejectEvent({ record, event }: ReceivedEvent, reason: string): RejectedRecord {
  const hints = { modelId: event.model, transactionId: event.transaction, eventId: event.id };
  return { record, reason, hints };
}
