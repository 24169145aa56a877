import type { KinesisStreamRecord } from 'aws-lambda';
import type { StreamRecord } from '../../stream/stream-record.ts';

/** Converts a record in the Kinesis event that Lambda passes to the function. */
export function toStreamRecord({ eventID, kinesis }: KinesisStreamRecord): StreamRecord {
  return {
    recordId: eventID,
    // The event id has the form "shardId-000000000000:4954…". No other field contains the shard.
    position: {
      shard: eventID.slice(0, eventID.lastIndexOf(':')),
      sequence: kinesis.sequenceNumber,
    },
    partitionKey: kinesis.partitionKey,
    arrivedAt: kinesis.approximateArrivalTimestamp * 1000,
    data: Buffer.from(kinesis.data, 'base64'),
  };
}
