import type { EventHints } from '../../core/event/event.ts';
import type { ReceivedEvent } from '../../stream/received-event.ts';
import type { StreamRecord } from '../../stream/stream-record.ts';

/** A record that becomes a dead letter, because redelivery cannot fix it. */
export interface RejectedRecord {
  readonly record: StreamRecord;
  readonly reason: string;
  /** The ids that could be read from the record. */
  readonly hints: EventHints;
}

/** Rejects a record that contains an event. */
export function rejectEvent({ record, event }: ReceivedEvent, reason: string): RejectedRecord {
  const hints = { modelId: event.model, transactionId: event.transaction, eventId: event.id };
  return { record, reason, hints };
}
