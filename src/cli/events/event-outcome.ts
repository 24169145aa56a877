import type { InstanceKey } from '../../core/event/event.ts';
import type { SentEvent } from './sent-event.ts';

/** The result of an event that was sent. */
export interface EventOutcome {
  readonly event: SentEvent;
  readonly kind: 'applied' | 'rejected' | 'duplicate' | 'parked' | 'dead-letter' | 'unknown';
  /** The status of its instance after it; null if it changed nothing there. */
  readonly status: string | null;
  readonly reason: string | null;
  /** The id of its dead letter. */
  readonly deadLetter: string | null;
}

/** An outcome of a kind, with `null` for all that is not given. */
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

/** The key of an event among those of its instance. */
export const eventKey = ({ source, id }: Pick<SentEvent, 'source' | 'id'>) =>
  JSON.stringify([source, id]);

/** The key of an event among those of all instances. */
export const instanceEventKey = (event: SentEvent) => instanceKey(event) + eventKey(event);

/** Whether an event has done what it was sent for, now or before. */
export const isSuccess = ({ kind }: EventOutcome): boolean =>
  kind === 'applied' || kind === 'duplicate';
