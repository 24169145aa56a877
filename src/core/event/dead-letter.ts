import { hash } from 'node:crypto';
import type { StreamPosition } from '../history/commit.ts';
import type { EventHints } from './event.ts';

/**
 * A record that is not a valid event or belongs to no model, or whose event is parked, stored with its bytes and the
 * reason.
 */
export interface DeadLetter extends EventHints {
  readonly id: string;
  readonly reason: string;
  /** When the stream received the record, RFC 3339 in UTC. */
  readonly at: string;
  readonly partitionKey: string;
  /** The position of the record if its event is parked with its instance; otherwise null. */
  readonly parked: StreamPosition | null;
  /** True for a record of the notification stream. A redrive puts the record on that stream again. Default: false. */
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

/** The format of dead letter ids. */
export const deadLetterIdPattern = /^[0-9a-z]{9,11}-[0-9a-f]{16}$/;
