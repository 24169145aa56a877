import type { ReceivedEvent } from '../stream/received-event.ts';

/** An event that cannot be applied now. */
export interface BlockedEvent {
  readonly received: ReceivedEvent;
  readonly reason: string;
  /** True if the model failed on the event, false if it is queued behind a faulty one. */
  readonly fault: boolean;
}
