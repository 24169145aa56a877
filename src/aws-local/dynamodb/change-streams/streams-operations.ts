import * as v from 'valibot';
import type { Clock } from '../../../common/clock.ts';
import {
  DynamoDbError,
  type JsonOperation,
  validationError,
  validRequest,
} from '../json-operations.ts';
import type { ChangeRecord } from './change-record.ts';
import { type ChangeStreams, isTrimmed } from './change-streams.ts';
import { formatSequenceNumber } from './sequence-number.ts';
import { decodeIterator, encodeIterator } from './shard-iterator.ts';
import type { StoredShard, StoredStream } from './stored-stream.ts';

const limit = (maximum: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maximum)), maximum);

const listRequest = v.object({
  TableName: v.optional(v.string()),
  Limit: limit(100),
  ExclusiveStartStreamArn: v.optional(v.string()),
});

const describeRequest = v.object({
  StreamArn: v.string(),
  Limit: limit(100),
  ExclusiveStartShardId: v.optional(v.string()),
  ShardFilter: v.optional(v.object({ Type: v.literal('CHILD_SHARDS'), ShardId: v.string() })),
});

const sequenceNumber = v.pipe(
  v.string(),
  v.regex(/^\d{21,40}$/, 'a sequence number must have 21 to 40 digits'),
);

const shardOfStream = { StreamArn: v.string(), ShardId: v.string() };

const iteratorRequest = v.variant('ShardIteratorType', [
  v.object({ ...shardOfStream, ShardIteratorType: v.literal('TRIM_HORIZON') }),
  v.object({ ...shardOfStream, ShardIteratorType: v.literal('LATEST') }),
  v.object({
    ...shardOfStream,
    ShardIteratorType: v.literal('AT_SEQUENCE_NUMBER'),
    SequenceNumber: sequenceNumber,
  }),
  v.object({
    ...shardOfStream,
    ShardIteratorType: v.literal('AFTER_SEQUENCE_NUMBER'),
    SequenceNumber: sequenceNumber,
  }),
]);

const recordsRequest = v.object({ ShardIterator: v.string(), Limit: limit(1_000) });

/** The maximum size of the records in a response, in bytes. */
const maximumPageBytes = 1024 * 1024;

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

function getShardIterator(
  streams: ChangeStreams,
  now: number,
  request: v.InferOutput<typeof iteratorRequest>,
) {
  const stream = findStream(streams, request.StreamArn);
  const shard = findShard(stream, request.ShardId);
  const from = startOf(request, shard, streams);
  const position = { streamArn: stream.arn, shardId: shard.id, from };
  return { ShardIterator: encodeIterator(position, now) };
}

function startOf(
  request: v.InferOutput<typeof iteratorRequest>,
  { id, start, end }: StoredShard,
  { latestSequenceNumber, keptSince }: ChangeStreams,
): string {
  if (request.ShardIteratorType === 'TRIM_HORIZON') return start;
  if (request.ShardIteratorType === 'LATEST') return following(end ?? latestSequenceNumber);
  const { SequenceNumber: number, ShardIteratorType: type } = request;
  if (BigInt(number) < BigInt(start) || BigInt(number) > BigInt(end ?? latestSequenceNumber))
    throw validationError(
      `The sequence number ${number} is not in the shard ${id}; use a number of a record in the shard.`,
    );
  if (isTrimmed(number, keptSince))
    throw new DynamoDbError(
      'TrimmedDataAccessException',
      `The record ${number} is no longer available; read from TRIM_HORIZON.`,
    );
  return type === 'AT_SEQUENCE_NUMBER' ? number : following(number);
}

async function getRecords(
  streams: ChangeStreams,
  now: number,
  { ShardIterator, Limit }: v.InferOutput<typeof recordsRequest>,
) {
  const position = decodeIterator(ShardIterator, now);
  const stream = findStream(streams, position.streamArn);
  const { id, end } = findShard(stream, position.shardId);
  const found = await streams.read(stream, id, position.from, Limit);
  const Records = firstBytes(found, maximumPageBytes);
  const last = Records.at(-1)?.dynamodb.SequenceNumber;
  const isAtEnd = end !== undefined && found.length < Limit && Records.length === found.length;
  const from = last === undefined ? position.from : following(last);
  return {
    Records,
    ...(!isAtEnd && { NextShardIterator: encodeIterator({ ...position, from }, now) }),
  };
}

/** Returns the first records up to a size, and at least one. */
function firstBytes(records: readonly ChangeRecord[], maximum: number): readonly ChangeRecord[] {
  let bytes = 0;
  const tooMany = records.findIndex(({ dynamodb }, index) => {
    bytes += dynamodb.SizeBytes;
    return index > 0 && bytes > maximum;
  });
  return tooMany === -1 ? records : records.slice(0, tooMany);
}

const following = (number: string) => formatSequenceNumber(BigInt(number) + 1n);

function findStream(streams: ChangeStreams, arn: string): StoredStream {
  const stream = streams.find(arn);
  if (stream) return stream;
  throw new DynamoDbError(
    'ResourceNotFoundException',
    `Requested resource not found: Stream: ${arn} not found`,
  );
}

function findShard({ arn, shards }: StoredStream, id: string): StoredShard {
  const shard = shards.find((each) => each.id === id);
  if (shard) return shard;
  throw new DynamoDbError(
    'ResourceNotFoundException',
    `Requested resource not found: Shard: ${id} in stream: ${arn} not found`,
  );
}
