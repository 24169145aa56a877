import type { KinesisStreamRecord } from 'aws-lambda';

/** The record in the test event of the Lambda console for Kinesis. The notebook that Milepost is based on contains it too. */
export const kinesisTestRecord: KinesisStreamRecord = {
  eventID: 'shardId-000000000000:49545115243490985018280067714973144582180062593244200961',
  eventVersion: '1.0',
  kinesis: {
    approximateArrivalTimestamp: 1428537600,
    partitionKey: 'partitionKey-3',
    data: Buffer.from('{"foo":"data for you"}').toString('base64'),
    kinesisSchemaVersion: '1.0',
    sequenceNumber: '49545115243490985018280067714973144582180062593244200961',
  },
  invokeIdentityArn: 'arn:aws:iam::EXAMPLE',
  eventName: 'aws:kinesis:record',
  eventSourceARN: 'arn:aws:kinesis:EXAMPLE',
  eventSource: 'aws:kinesis',
  awsRegion: 'us-east-1',
};
