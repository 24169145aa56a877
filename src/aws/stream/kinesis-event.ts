import type { KinesisStreamRecord } from 'aws-lambda';
import type { StreamRecord } from '../../stream/stream-record.ts';

/**
 * Converts a record in the Kinesis event that Lambda passes to the function.
 *
 * If the stream is configured to ignore partition keys, producers can omit them. The id of a record without a key
 * replaces the key so that the record's dead letter can be stored and redriven.
 *
 * @see https://docs.aws.amazon.com/streams/latest/dev/service-managed-pk-integrations-lambda.html
 */
export function toStreamRecord({ eventID, kinesis }: KinesisStreamRecord): StreamRecord {
  return {
    recordId: eventID,
    // The event id has the form "shardId-000000000000:4954…". No other field contains the shard.
    position: {
      shard: eventID.slice(0, eventID.lastIndexOf(':')),
      sequence: kinesis.sequenceNumber,
    },
    // The type of the record does not include null.
    partitionKey: kinesis.partitionKey ?? eventID,
    arrivedAt: kinesis.approximateArrivalTimestamp * 1000,
    data: Buffer.from(kinesis.data, 'base64'),
  };
}
