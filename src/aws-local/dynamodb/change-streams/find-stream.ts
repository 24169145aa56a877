import { DynamoDbError } from '../dynamodb-error.ts';
import type { ChangeStreams } from './change-streams.ts';
import type { StoredShard, StoredStream } from './stored-stream.ts';

/** Returns a stream. @throws DynamoDbError `ResourceNotFoundException`. */
export function findStream(streams: ChangeStreams, arn: string): StoredStream {
  const stream = streams.find(arn);
  if (stream) return stream;
  throw new DynamoDbError(
    'ResourceNotFoundException',
    `Requested resource not found: Stream: ${arn} not found`,
  );
}

/** Returns a shard of a stream. @throws DynamoDbError `ResourceNotFoundException`. */
export function findShard({ arn, shards }: StoredStream, id: string): StoredShard {
  const shard = shards.find((each) => each.id === id);
  if (shard) return shard;
  throw new DynamoDbError(
    'ResourceNotFoundException',
    `Requested resource not found: Shard: ${id} in stream: ${arn} not found`,
  );
}
