import type { KinesisStreamRecord } from 'aws-lambda';
import type { StreamRecord } from '../../stream/stream-record.ts';

/** A record of the event that Lambda gets from a Kinesis stream. */
export function toStreamRecord({ eventID, kinesis }: KinesisStreamRecord): StreamRecord {
  return {
    recordId: eventID,
    // "shardId-000000000000:4954…": Lambda names the shard nowhere else.
    position: {
      shard: eventID.slice(0, eventID.lastIndexOf(':')),
      sequence: kinesis.sequenceNumber,
    },
    partitionKey: kinesis.partitionKey,
    arrivedAt: kinesis.approximateArrivalTimestamp * 1000,
    data: Buffer.from(kinesis.data, 'base64'),
  };
}
