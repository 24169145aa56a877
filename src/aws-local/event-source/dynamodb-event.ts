import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { ChangeRecord } from '../dynamodb/change-streams/change-record.ts';
import type { MappingIdentity } from './mapping-identity.ts';
import type { RecordFormat } from './record-format.ts';
import type { ShardRecord } from './shards.ts';

export const dynamoDbFormat: RecordFormat = {
  batchInfo: 'DDBStreamBatchInfo',
  event: dynamoDbEvent,
  // The record in the event has one more attribute, the ARN of the stream.
  recordBytes: ({ data }, _, { streamArn }) =>
    data.byteLength + Buffer.byteLength(JSON.stringify({ eventSourceARN: streamArn })),
  filterable: changeOf,
  startsAtTimestamp: false,
};

/**
 * Builds the event that Lambda passes to a function for a batch of change records.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
function dynamoDbEvent(
  records: readonly ShardRecord[],
  _: string,
  { streamArn }: MappingIdentity,
): DynamoDBStreamEvent {
  return { Records: records.map((record) => eventRecord(changeOf(record), streamArn)) };
}

function eventRecord(
  { userIdentity, ...change }: ChangeRecord,
  eventSourceARN: string,
): DynamoDBRecord {
  return {
    ...change,
    // Unlike GetRecords, Lambda starts these names with a lower-case letter.
    ...(userIdentity && {
      userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId },
    }),
    eventSourceARN,
  } as DynamoDBRecord;
}

function changeOf({ data }: ShardRecord): ChangeRecord {
  return JSON.parse(Buffer.from(data).toString()) as ChangeRecord;
}
