import * as v from 'valibot';
import type { Clock } from '../../../common/clock.ts';
import { type JsonOperation, validRequest } from '../json-operations.ts';
import type { ChangeStreams } from './change-streams.ts';
import { findStream } from './find-stream.ts';
import { getRecords, getShardIterator, iteratorRequest, recordsRequest } from './read-shard.ts';
import { requestLimit } from './request-limit.ts';

const listRequest = v.object({
  TableName: v.optional(v.string()),
  Limit: requestLimit(100),
  ExclusiveStartStreamArn: v.optional(v.string()),
});

const describeRequest = v.object({
  StreamArn: v.string(),
  Limit: requestLimit(100),
  ExclusiveStartShardId: v.optional(v.string()),
  ShardFilter: v.optional(v.object({ Type: v.literal('CHILD_SHARDS'), ShardId: v.string() })),
});

/**
 * The operations of the DynamoDB Streams API.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html
 */
export function streamsOperations(
  streams: ChangeStreams,
  clock: Pick<Clock, 'now'>,
): Readonly<Record<string, JsonOperation>> {
  return {
    'DynamoDBStreams_20120810.ListStreams': async (request) =>
      listStreams(streams, validRequest(listRequest, request)),
    'DynamoDBStreams_20120810.DescribeStream': async (request) =>
      describeStream(streams, validRequest(describeRequest, request)),
    'DynamoDBStreams_20120810.GetShardIterator': async (request) =>
      getShardIterator(streams, clock.now(), validRequest(iteratorRequest, request)),
    'DynamoDBStreams_20120810.GetRecords': (request) =>
      getRecords(streams, clock.now(), validRequest(recordsRequest, request)),
  };
}

function listStreams(
  { all }: ChangeStreams,
  { TableName, Limit, ExclusiveStartStreamArn: after }: v.InferOutput<typeof listRequest>,
) {
  const wanted = all.filter(({ tableName }) => (TableName ?? tableName) === tableName);
  const rest = wanted.slice(1 + wanted.findIndex(({ arn }) => arn === after));
  const page = rest.slice(0, Limit);
  return {
    Streams: page.map(({ arn, tableName, label }) => ({
      StreamArn: arn,
      TableName: tableName,
      StreamLabel: label,
    })),
    ...(page.length < rest.length && { LastEvaluatedStreamArn: page.at(-1)?.arn }),
  };
}

function describeStream(streams: ChangeStreams, request: v.InferOutput<typeof describeRequest>) {
  const stream = findStream(streams, request.StreamArn);
  const { ExclusiveStartShardId: after, Limit, ShardFilter: filter } = request;
  const wanted = stream.shards.filter(
    ({ parentId }) => filter === undefined || parentId === filter.ShardId,
  );
  const rest = wanted.slice(1 + wanted.findIndex(({ id }) => id === after));
  const page = rest.slice(0, Limit);
  return {
    StreamDescription: {
      StreamArn: stream.arn,
      StreamLabel: stream.label,
      StreamStatus: stream.status,
      StreamViewType: stream.viewType,
      CreationRequestDateTime: stream.createdAt / 1_000,
      TableName: stream.tableName,
      KeySchema: stream.keySchema,
      Shards: page.map(({ id, parentId, start, end }) => ({
        ShardId: id,
        SequenceNumberRange: { StartingSequenceNumber: start, EndingSequenceNumber: end },
        ParentShardId: parentId,
      })),
      ...(page.length < rest.length && { LastEvaluatedShardId: page.at(-1)?.id }),
    },
  };
}
