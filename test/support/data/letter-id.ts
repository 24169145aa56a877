import { deadLetterId } from '../../../src/core/event/dead-letter.ts';

/**
 * Returns the id of the dead letter of a record.
 *
 * @param place the sequence number of the record.
 * @param arrivedAt when the stream received the record, in milliseconds since 1970.
 */
export const letterIdAt = (place: number, arrivedAt: number): string =>
  deadLetterId({
    recordId: `shard:${place}`,
    position: { shard: 'shard', sequence: String(place) },
    arrivedAt,
  });
