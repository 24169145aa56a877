import * as v from 'valibot';
import { DynamoDbError, validationError } from '../dynamodb-error.ts';
import type { ChangeRecord } from './change-record.ts';
import { type ChangeStreams, isTrimmed } from './change-streams.ts';
import { findShard, findStream } from './find-stream.ts';
import { requestLimit } from './request-limit.ts';
import { formatSequenceNumber } from './sequence-number.ts';
import { decodeIterator, encodeIterator } from './shard-iterator.ts';
import type { StoredShard } from './stored-stream.ts';

const sequenceNumber = v.pipe(
  v.string(),
  v.regex(/^\d{21,40}$/, 'a sequence number must have 21 to 40 digits'),
);

const shardOfStream = { StreamArn: v.string(), ShardId: v.string() };

export const iteratorRequest = v.variant('ShardIteratorType', [
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

export const recordsRequest = v.object({ ShardIterator: v.string(), Limit: requestLimit(1_000) });

/** The maximum size of the records in a response, in bytes. */
const maximumPageBytes = 1024 * 1024;

export function getShardIterator(
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
      `The sequence number ${number} is not in the shard ${id}; use the number of a record in the shard.`,
    );
  if (isTrimmed(number, keptSince))
    throw new DynamoDbError(
      'TrimmedDataAccessException',
      `The record ${number} is no longer available; read from TRIM_HORIZON.`,
    );
  return type === 'AT_SEQUENCE_NUMBER' ? formatSequenceNumber(BigInt(number)) : following(number);
}

export async function getRecords(
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

/** Returns the first records up to a total size, but at least one record. */
function firstBytes(records: readonly ChangeRecord[], maximum: number): readonly ChangeRecord[] {
  let bytes = 0;
  const tooMany = records.findIndex(({ dynamodb }, index) => {
    bytes += dynamodb.SizeBytes;
    return index > 0 && bytes > maximum;
  });
  return tooMany === -1 ? records : records.slice(0, tooMany);
}

const following = (number: string) => formatSequenceNumber(BigInt(number) + 1n);
