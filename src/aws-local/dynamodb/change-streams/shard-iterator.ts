import * as v from 'valibot';
import { jsonIn } from '../../../common/json-in.ts';
import { DynamoDbError, validationError } from '../dynamodb-error.ts';

/** The position that a shard iterator contains. */
export interface IteratorPosition {
  readonly streamArn: string;
  readonly shardId: string;
  /** The lowest sequence number that the next record can have. */
  readonly from: string;
}

/** How long a shard iterator is valid, in milliseconds, as in AWS. */
const lifetimeMs = 15 * 60_000;

const payloadSchema = v.object({ shardId: v.string(), from: v.string(), at: v.number() });

/** Encodes a position as a shard iterator. */
export function encodeIterator(
  { streamArn, shardId, from }: IteratorPosition,
  now: number,
): string {
  const payload = JSON.stringify({ shardId, from, at: now });
  return `${streamArn}|1|${Buffer.from(payload).toString('base64url')}`;
}

/** Decodes a shard iterator. @throws DynamoDbError if it is invalid or expired. */
export function decodeIterator(iterator: string, now: number): IteratorPosition {
  const [streamArn = '', version, encoded = ''] = iterator.split('|');
  const json = Buffer.from(encoded, 'base64url').toString();
  const payload = v.safeParse(payloadSchema, jsonIn(json));
  if (version !== '1' || !payload.success)
    throw validationError(
      `Invalid ShardIterator ${iterator}; use one that GetShardIterator or GetRecords returned.`,
    );
  const { at, ...position } = payload.output;
  if (now - at > lifetimeMs)
    throw new DynamoDbError(
      'ExpiredIteratorException',
      'The iterator is older than 15 minutes; get a new one with GetShardIterator.',
    );
  return { streamArn, ...position };
}
