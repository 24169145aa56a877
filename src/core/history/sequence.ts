/*
 * Positions within a shard. A record's position is its sequence number, an integer of up to 60 digits. In an aggregated
 * record, an event's position is the sequence number, a period, and the event's place in the record.
 */

/** An event's position in the stream. */
export interface StreamPosition {
  readonly shard: string;
  /** The sequence number; for an event in an aggregated record, followed by its place in the record. */
  readonly sequence: string;
}

/** The maximum number of digits in a sequence number. */
const digits = 60;
/** The number of digits for an event's place in a record, which is enough for the largest record. */
const placeDigits = 8;

/** Formats the position of an event in an aggregated record. Places start at 0. */
export const sequenceInRecord = (sequence: string, place: number) =>
  `${sequence}.${String(place).padStart(placeDigits, '0')}`;

/** Returns true if a position comes after another position in the same shard. */
export function isLaterSequence(sequence: string, other: string): boolean {
  const [record, place = ''] = sequence.split('.') as [string, string?];
  const [otherRecord, otherPlace = ''] = other.split('.') as [string, string?];
  if (record === otherRecord) return place > otherPlace;
  // Decimal numbers with the same number of digits sort like text.
  return record.length === otherRecord.length
    ? record > otherRecord
    : BigInt(record) > BigInt(otherRecord);
}

/**
 * The number of trailing digits of a sequence number in a short position. Sequence numbers that a shard assigns in the
 * same millisecond differ only in about the last 30 digits.
 */
const trailingDigits = 36;
/** The number of characters in a short position. */
const shortLength = 29;

/**
 * Encodes a position in 29 characters (0-9, a-z), for use in ids. As text, the positions of records that arrived in a
 * shard at about the same time sort in the order of their sequence numbers.
 */
export function shortSequence(sequence: string): string {
  const [record, place = ''] = sequence.split('.') as [string, string?];
  const number = BigInt(record.slice(-trailingDigits) + place.padStart(placeDigits, '0'));
  return number.toString(36).padStart(shortLength, '0');
}

/** Pads a position with zeros, so positions can be sorted as text. */
export function sortableSequence(sequence: string): string {
  const [record, ...place] = sequence.split('.') as [string, string?];
  return [record.padStart(digits, '0'), ...place].join('.');
}
