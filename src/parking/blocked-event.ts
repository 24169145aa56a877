import type { ReceivedEvent } from '../stream/received-event.ts';

/** An event that cannot be applied now. */
export interface BlockedEvent {
  readonly received: ReceivedEvent;
  readonly reason: string;
  /** True if the model failed on the event, false if the event is queued behind a faulty event. */
  readonly fault: boolean;
}
