import type { ReceivedEvent } from '../stream/received-event.ts';

/** An event that cannot be applied now and is therefore parked. */
export interface BlockedEvent {
  readonly received: ReceivedEvent;
  readonly reason: string;
  /** True if the event itself failed; false if it is queued behind a faulty event. */
  readonly fault: boolean;
}
