import type { InstanceKey } from '../../core/event/event.ts';
import type { SentEvent } from './sent-event.ts';

/** The outcome of a sent event. */
export interface EventOutcome {
  readonly event: SentEvent;
  readonly kind: 'applied' | 'rejected' | 'duplicate' | 'parked' | 'dead-letter' | 'unknown';
  /** The status of its instance after it; null if it did not reach the instance. */
  readonly status: string | null;
  readonly reason: string | null;
  /** The id of its dead letter; null if it has none. */
  readonly deadLetter: string | null;
}

/** Creates an outcome, with `null` for missing members. */
export function outcome(
  event: SentEvent,
  kind: EventOutcome['kind'],
  more: Partial<Pick<EventOutcome, 'status' | 'reason' | 'deadLetter'>> = {},
): EventOutcome {
  return { event, kind, status: null, reason: null, deadLetter: null, ...more };
}

/** The key of an instance in a map. */
export const instanceKey = ({ model, transaction }: InstanceKey) =>
  JSON.stringify([model, transaction]);

/** The key of an event within its instance. */
export const eventKey = ({ source, id }: Pick<SentEvent, 'source' | 'id'>) =>
  JSON.stringify([source, id]);

/** The key of an event across all instances. */
export const instanceEventKey = (event: SentEvent) => instanceKey(event) + eventKey(event);

/** True if an event took effect, now or before. */
export const isSuccess = ({ kind }: EventOutcome): boolean =>
  kind === 'applied' || kind === 'duplicate';
