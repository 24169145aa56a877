import type { InstanceKey } from '../../core/event/event.ts';
import type { SentEvent } from './sent-event.ts';

/** The result of an event that was sent. */
export interface Outcome {
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
  kind: Outcome['kind'],
  more: Partial<Pick<Outcome, 'status' | 'reason' | 'deadLetter'>> = {},
): Outcome {
  return { event, kind, status: null, reason: null, deadLetter: null, ...more };
}

/** The key of an instance in a map. */
export const instanceName = ({ model, transaction }: InstanceKey) =>
  JSON.stringify([model, transaction]);

/** The key of an event among those of its instance. */
export const nameOf = ({ source, id }: Pick<SentEvent, 'source' | 'id'>) =>
  JSON.stringify([source, id]);

/** The key of an event among those of all instances. */
export const fullName = (event: SentEvent) => instanceName(event) + nameOf(event);

/** Whether an event has done what it was sent for, now or before. */
export const isSuccess = ({ kind }: Outcome): boolean => kind === 'applied' || kind === 'duplicate';
