import { hash } from 'node:crypto';
import { type StreamPosition, shortSequence } from '../history/sequence.ts';
import type { EventHints } from './event.ts';

/** A rejected record, or the record of a parked event, stored with its bytes and the reason. */
export interface DeadLetter extends EventHints {
  readonly id: string;
  readonly reason: string;
  /** When the stream received the record, RFC 3339 in UTC. */
  readonly at: string;
  readonly partitionKey: string;
  /** The record's position in the stream if its event is parked; otherwise null. */
  readonly parked: StreamPosition | null;
  /** True for a record of the notification stream. A redrive returns the record to that stream. Default: false. */
  readonly isNotification?: true;
  readonly raw: Uint8Array;
}

/** A record's place in its stream. */
export interface RecordPlace {
  /**
   * Identifies the record in the stream: its shard and sequence number and, for a user record, its place in the
   * aggregated record.
   */
  readonly recordId: string;
  readonly position: StreamPosition;
  /** When the stream received the record, in milliseconds since 1970. */
  readonly arrivedAt: number;
}

/**
 * Derives the id of a record's dead letter from the record's place in the stream, so redelivering a record results in
 * the same dead letter. Ids sort by arrival time; for records that arrived in one shard in the same millisecond, they
 * sort by position. The hash distinguishes records from different shards and streams.
 */
export function deadLetterId({ recordId, position, arrivedAt }: RecordPlace): string {
  const time = Math.max(0, Math.floor(arrivedAt)).toString(36).padStart(9, '0');
  const sequence = shortSequence(position.sequence);
  return `${time}-${sequence}-${hash('sha256', recordId).slice(0, 8)}`;
}

/**
 * The format of dead letter ids: the arrival time and the position in base 36, and 8 hexadecimal digits. Older ids
 * contain 16 hexadecimal digits instead of the position and the 8 digits.
 */
export const deadLetterIdPattern = /^[0-9a-z]{9,11}-(?:[0-9a-z]{29}-[0-9a-f]{8}|[0-9a-f]{16})$/;
