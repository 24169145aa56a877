import type { TrackedEvent } from '../core/event/event.ts';
import type { TraceContext } from '../core/event/trace-context.ts';
import type { StreamRecord } from './stream-record.ts';

/** An event, and the record that it came in. */
export interface ReceivedEvent {
  readonly record: StreamRecord;
  readonly event: TrackedEvent;
  /** The trace that it belongs to, where its sender records one. */
  readonly trace?: TraceContext;
}

/** The event as its model's Lambda takes it. */
export const toPositionedEvent = ({ record, event }: ReceivedEvent) => ({
  event,
  position: record.position,
});
