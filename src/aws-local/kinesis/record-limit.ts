import { jsonIn } from '../../common/json-in.ts';
import type { KinesisError } from './stream-arn.ts';

/**
 * The maximum size of the data and the partition keys in a `PutRecords` request, in bytes.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html
 */
const maximumRequestBytes = 10 * 1024 * 1024;

/** The error for a request whose records exceed the limit. */
export const recordsTooLarge: KinesisError = {
  __type: 'InvalidArgumentException',
  message: 'Records size exceeds 10 MB limit',
};

/** Returns true if the records in a request exceed the limit. */
export function exceedsRecordLimit(json: string): boolean {
  // Parse only large requests, because a request is always larger than its records.
  if (json.length <= maximumRequestBytes) return false;
  const { Records: records } = Object(jsonIn(json)) as { Records?: unknown };
  if (!Array.isArray(records)) return false;
  const sizes = records.map((record) => {
    const { Data, PartitionKey } = Object(record) as Record<string, unknown>;
    return Buffer.byteLength(String(Data), 'base64') + Buffer.byteLength(String(PartitionKey));
  });
  return sizes.reduce((sum, size) => sum + size, 0) > maximumRequestBytes;
}
