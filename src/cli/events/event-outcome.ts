import type { InstanceKey } from '../../core/event/event.ts';
import type { SentEvent } from './sent-event.ts';

/** The outcome of a sent event, as far as it is known. */
export interface EventOutcome {
  readonly event: SentEvent;
  readonly kind: 'applied' | 'rejected' | 'duplicate' | 'parked' | 'dead-letter' | 'unknown';
  /** The instance's status after the event; null unless the instance is known to have processed the event. */
  readonly status: string | null;
  readonly reason: string | null;
  /** The id of the event's dead letter; null if there is none. */
  readonly deadLetter: string | null;
}

/** Creates an outcome. Omitted members are null. */
export function outcome(
  event: SentEvent,
  kind: EventOutcome['kind'],
  more: Partial<Pick<EventOutcome, 'status' | 'reason' | 'deadLetter'>> = {},
): EventOutcome {
  return { event, kind, status: null, reason: null, deadLetter: null, ...more };
}

/** Returns a string that identifies an instance. */
export const instanceKey = ({ model, transaction }: InstanceKey) =>
  JSON.stringify([model, transaction]);

/** Returns a string that identifies an event within its instance. */
export const eventKey = ({ source, id }: Pick<SentEvent, 'source' | 'id'>) =>
  JSON.stringify([source, id]);

/** Returns a string that identifies an event across all instances. */
export const instanceEventKey = (event: SentEvent) => instanceKey(event) + eventKey(event);

/** Returns true if an event was applied, or if its instance had already processed it. */
export const isSuccess = ({ kind }: EventOutcome): boolean =>
  kind === 'applied' || kind === 'duplicate';
