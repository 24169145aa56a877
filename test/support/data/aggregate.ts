import { hash } from 'node:crypto';

/** A record as a producer passes it to the Kinesis Producer Library. */
export interface UserRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
  readonly explicitHashKey?: string;
  readonly tags?: readonly { readonly key: string; readonly value?: string }[];
}

/**
 * Aggregates records like the Kinesis Producer Library.
 *
 * @see https://github.com/awslabs/amazon-kinesis-producer/blob/master/aggregation-format.md
 */
export function aggregate(records: readonly UserRecord[]): Buffer {
  const keys = [...new Set(records.map(({ partitionKey }) => partitionKey))];
  const hashKeys = [...new Set(records.flatMap(({ explicitHashKey: key }) => (key ? [key] : [])))];
  return sealed(
    Buffer.concat([
      ...keys.map((key) => bytesField(1, Buffer.from(key))),
      ...hashKeys.map((key) => bytesField(2, Buffer.from(key))),
      ...records.map(({ partitionKey, data, explicitHashKey, tags = [] }) =>
        bytesField(
          3,
          Buffer.concat([
            numberField(1, keys.indexOf(partitionKey)),
            ...(explicitHashKey ? [numberField(2, hashKeys.indexOf(explicitHashKey))] : []),
            bytesField(3, data),
            ...tags.map(({ key, value }) =>
              bytesField(
                4,
                Buffer.concat([
                  bytesField(1, Buffer.from(key)),
                  ...(value === undefined ? [] : [bytesField(2, Buffer.from(value))]),
                ]),
              ),
            ),
          ]),
        ),
      ),
    ]),
  );
}

/** Adds the magic number and the checksum of an aggregated record to a message. */
export const sealed = (message: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from('f3899ac2', 'hex'), message, hash('md5', message, 'buffer')]);

export const numberField = (number: number, value: number) =>
  Buffer.concat([varint(number * 8), varint(value)]);

export const bytesField = (number: number, bytes: Uint8Array) =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
