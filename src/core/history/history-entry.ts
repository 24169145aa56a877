import type { OutgoingEffect } from '../effects/effect.ts';
import type { TrackedEvent } from '../event/event.ts';

/** An event in the history of an instance, with its outcome and the state after it. */
export interface HistoryEntry {
  readonly event: Omit<TrackedEvent, 'data'>;
  /** The event's data, as JSON. */
  readonly data: string;
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  readonly status: string;
  /** The state after the event, as JSON. */
  readonly state: string;
  /** The events and notifications that the instance sends because of the event. */
  readonly effects: readonly OutgoingEffect[];
}
