import type { ReceivedEvent } from '../stream/received-event.ts';

/** An event that cannot be applied now. */
export interface BlockedEvent {
  readonly received: ReceivedEvent;
  readonly reason: string;
  /** True when the model failed on it, false when it only waits behind one. */
  readonly fault: boolean;
}
