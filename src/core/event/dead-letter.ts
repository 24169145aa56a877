import { hash } from 'node:crypto';
import type { StreamPosition } from '../history/commit.ts';
import type { EventHints } from './event.ts';

/** A record that is no event, or whose event is parked, kept with its bytes and the reason. */
export interface DeadLetter extends EventHints {
  readonly id: string;
  readonly reason: string;
  /** When its record came, RFC 3339 in UTC. */
  readonly at: string;
  readonly partitionKey: string;
  /** Where its record stood, when it is an event that is parked with its instance; else null. */
  readonly parked: StreamPosition | null;
  /** True for a record of the notification stream: a redrive puts it there again. Default: false. */
  readonly isNotification?: true;
  readonly raw: Uint8Array;
}

/**
 * The id of a record's dead letter. It follows from where the record stood on
 * the stream, so that a redelivered record leads to the same dead letter, and
 * it sorts by the time at which the record came.
 *
 * @param arrivedAt milliseconds since 1970.
 */
export function deadLetterId(eventId: string, arrivedAt: number): string {
  const time = Math.max(0, Math.floor(arrivedAt)).toString(36).padStart(9, '0');
  return `${time}-${hash('sha256', eventId).slice(0, 16)}`;
}

/** The form of the ids of dead letters. */
export const deadLetterIdPattern = /^[0-9a-z]{9,11}-[0-9a-f]{16}$/;
