import { hash } from 'node:crypto';

/** The magic number of aggregated records. No text starts with this number because it is not valid UTF-8. */
export const magic = Buffer.from('f3899ac2', 'hex');

/** The field numbers of the messages `AggregatedRecord` and `Record`. */
export const fieldsOf = {
  aggregated: { partitionKey: 1, record: 3 },
  record: { partitionKeyIndex: 1, data: 3 },
} as const;

/**
 * Combines user records with the same partition key into an aggregated record in the Kinesis Producer Library's format.
 * `userRecords` splits such a record.
 *
 * @see https://github.com/awslabs/amazon-kinesis-producer/blob/master/aggregation-format.md
 */
export function aggregatedRecord(partitionKey: string, records: readonly Uint8Array[]): Uint8Array {
  const { aggregated, record } = fieldsOf;
  // The index of the only partition key. The format requires the field, although 0 is its default.
  const keyIndex = Uint8Array.of(record.partitionKeyIndex * 8, 0);
  const message = Buffer.concat([
    ...bytesField(aggregated.partitionKey, Buffer.from(partitionKey)),
    ...records.flatMap((data) =>
      bytesField(aggregated.record, Buffer.concat([keyIndex, ...bytesField(record.data, data)])),
    ),
  ]);
  return Buffer.concat([magic, message, hash('md5', message, 'buffer')]);
}

/** Encodes a Protocol Buffers field that contains bytes. */
const bytesField = (number: number, bytes: Uint8Array): Uint8Array[] => [
  Uint8Array.of(number * 8 + 2, ...varint(bytes.byteLength)),
  bytes,
];

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))];
}
