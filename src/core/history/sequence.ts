/*
 * Where something stood within a shard: a record by its sequence number, a whole number of any size,
 * and one of several events in a record by that number, a full stop and its place in the record.
 */

/** As many digits as any sequence number may have. */
const digits = 60;
/** As many as the place of an event in a record may have, of which each takes bytes. */
const placeDigits = 8;

/** The sequence of one of the events in a record, counted from 0. */
export const sequenceInRecord = (sequence: string, place: number) =>
  `${sequence}.${String(place).padStart(placeDigits, '0')}`;

/** Whether one is behind another one of its shard. */
export function isLaterSequence(sequence: string, other: string): boolean {
  const [record, place = ''] = sequence.split('.') as [string, string?];
  const [otherRecord, otherPlace = ''] = other.split('.') as [string, string?];
  if (record === otherRecord) return place > otherPlace;
  // Of as many digits, they are in order as texts.
  return record.length === otherRecord.length
    ? record > otherRecord
    : BigInt(record) > BigInt(otherRecord);
}

/** The same, so that text sorts as they follow each other. */
export function sortableSequence(sequence: string): string {
  const [record, ...place] = sequence.split('.') as [string, string?];
  return [record.padStart(digits, '0'), ...place].join('.');
}
