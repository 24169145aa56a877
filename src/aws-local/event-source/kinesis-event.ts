import type { KinesisStreamEvent, KinesisStreamRecord } from 'aws-lambda';
import type { MappingIdentity } from './mapping-identity.ts';
import type { RecordFormat } from './record-format.ts';
import type { ShardRecord } from './shards.ts';

export const kinesisFormat: RecordFormat = {
  batchInfo: 'KinesisBatchInfo',
  event: kinesisEvent,
  recordBytes: eventRecordBytes,
  startsAtTimestamp: true,
};

/**
 * Builds the event that Lambda passes to a function for a batch of Kinesis records.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-kinesis.html
 */
export function kinesisEvent(
  records: readonly ShardRecord[],
  shardId: string,
  mapping: MappingIdentity,
): KinesisStreamEvent {
  return { Records: records.map((record) => eventRecord(record, shardId, mapping)) };
}

/** Returns the size of a record in the event, in bytes, including the comma before the next record. */
export function eventRecordBytes(
  record: ShardRecord,
  shardId: string,
  mapping: MappingIdentity,
): number {
  const envelope = eventRecord({ ...record, data: new Uint8Array() }, shardId, mapping);
  const base64 = 4 * Math.ceil(record.data.byteLength / 3);
  return Buffer.byteLength(JSON.stringify(envelope)) + base64 + 1;
}

function eventRecord(
  record: ShardRecord,
  shardId: string,
  mapping: MappingIdentity,
): KinesisStreamRecord {
  return {
    kinesis: {
      kinesisSchemaVersion: '1.0',
      partitionKey: record.partitionKey,
      sequenceNumber: record.sequenceNumber,
      data: Buffer.from(record.data).toString('base64'),
      approximateArrivalTimestamp: record.arrivedAt / 1000,
    },
    eventSource: 'aws:kinesis',
    eventVersion: '1.0',
    eventID: `${shardId}:${record.sequenceNumber}`,
    eventName: 'aws:kinesis:record',
    invokeIdentityArn: mapping.roleArn,
    awsRegion: regionOf(mapping.streamArn),
    eventSourceARN: mapping.streamArn,
  };
}

function regionOf(arn: string): string {
  return arn.split(':')[3] ?? '';
}
