import { hash } from 'node:crypto';
import type { StreamPosition } from '../history/commit.ts';
import type { EventHints } from './event.ts';

/**
 * A stored record, with its bytes and the reason why it is stored: it is not a valid event, it belongs to no model, or
 * its event is parked.
 */
export interface DeadLetter extends EventHints {
  readonly id: string;
  readonly reason: string;
  /** When the stream received the record, RFC 3339 in UTC. */
  readonly at: string;
  readonly partitionKey: string;
  /** The position of the record in the stream if its event is parked; otherwise null. */
  readonly parked: StreamPosition | null;
  /** True for a record of the notification stream. A redrive returns the record to that stream. Default: false. */
  readonly isNotification?: true;
  readonly raw: Uint8Array;
}

/**
 * Derives the id of a record's dead letter from the position of the record in the stream, so a redelivered record
 * results in the same dead letter. Ids sort by arrival time.
 *
 * @param arrivedAt when the stream received the record, in milliseconds since 1970.
 */
export function deadLetterId(eventId: string, arrivedAt: number): string {
  const time = Math.max(0, Math.floor(arrivedAt)).toString(36).padStart(9, '0');
  return `${time}-${hash('sha256', eventId).slice(0, 16)}`;
}

/** The format of dead letter ids: the arrival time in base 36, and 16 hexadecimal digits. */
export const deadLetterIdPattern = /^[0-9a-z]{9,11}-[0-9a-f]{16}$/;
