import type { TrackedEvent } from '../core/event/event.ts';
import type { TraceContext } from '../core/event/trace-context.ts';
import type { StreamRecord } from './stream-record.ts';

/** An event and the record that contained it. */
export interface ReceivedEvent {
  readonly record: StreamRecord;
  readonly event: TrackedEvent;
  /** The trace to which the event belongs, if its sender records a trace. */
  readonly trace?: TraceContext;
}

/** Converts a received event to the form that is sent to its model's Lambda function. */
export const toPositionedEvent = ({ record, event }: ReceivedEvent) => ({
  event,
  position: record.position,
});
