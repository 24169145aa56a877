import db from 'kinesalite/db/index.js';
import * as v from 'valibot';

/** A shard, as in the response to `ListShards`. */
export interface ListedShard {
  readonly ShardId: string;
  readonly SequenceNumberRange: {
    readonly StartingSequenceNumber: string;
    readonly EndingSequenceNumber?: string;
  };
}

/** The retention period and the creation time of a stream. `StreamCreationTimestamp` is in seconds since 1970. */
export interface StreamLifetime {
  readonly RetentionPeriodHours: number;
  readonly StreamCreationTimestamp: number;
}

/** The `ShardFilter` of a `ListShards` request. `Timestamp` is in seconds since 1970. */
export const shardFilter = v.variant(
  'Type',
  [
    v.object(
      { Type: v.literal('AFTER_SHARD_ID'), ShardId: v.string() },
      'AFTER_SHARD_ID requires a ShardId',
    ),
    v.object({ Type: v.picklist(['AT_TRIM_HORIZON', 'FROM_TRIM_HORIZON', 'AT_LATEST']) }),
    v.object(
      { Type: v.picklist(['AT_TIMESTAMP', 'FROM_TIMESTAMP']), Timestamp: v.number() },
      'AT_TIMESTAMP and FROM_TIMESTAMP require a Timestamp',
    ),
  ],
  ({ received }) =>
    `must be AFTER_SHARD_ID, AT_TRIM_HORIZON, FROM_TRIM_HORIZON, AT_LATEST, AT_TIMESTAMP, or FROM_TIMESTAMP; got ${received}`,
);

export type ShardFilter = v.InferOutput<typeof shardFilter>;

/**
 * Returns the shards that match a filter.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ShardFilter.html
 */
export function filterShards(
  shards: readonly ListedShard[],
  filter: ShardFilter,
  { RetentionPeriodHours, StreamCreationTimestamp }: StreamLifetime,
  now: number,
): readonly ListedShard[] {
  const trimHorizon = now - RetentionPeriodHours * 3_600_000;
  const openSince = (time: number) => shards.filter((shard) => closedAt(shard) >= time);
  const openAt = (time: number) => openSince(time).filter((shard) => openedAt(shard) <= time);
  switch (filter.Type) {
    case 'AFTER_SHARD_ID':
      return shards.filter(({ ShardId }) => ShardId > filter.ShardId);
    case 'AT_TRIM_HORIZON':
      return openAt(Math.max(trimHorizon, StreamCreationTimestamp * 1_000));
    case 'FROM_TRIM_HORIZON':
      return openSince(trimHorizon);
    case 'AT_LATEST':
      return openSince(Number.POSITIVE_INFINITY);
    case 'AT_TIMESTAMP':
      return openAt(filter.Timestamp * 1_000);
    case 'FROM_TIMESTAMP':
      return openSince(filter.Timestamp * 1_000);
  }
}

/**
 * Returns when a shard was opened, in milliseconds since 1970. The sequence numbers of kinesalite contain seconds. A
 * shard that replaces other shards starts in the second after those shards end.
 */
const openedAt = ({ SequenceNumberRange: { StartingSequenceNumber: start } }: ListedShard) =>
  db.parseSequence(start).shardCreateTime - 1_000;

/**
 * Returns the end of the second in which a shard was closed, in milliseconds since 1970, or infinity for an open shard.
 * If the clock was set back, a shard can be closed before it was opened. The shard's opening time then counts as its
 * end so that the shard is still listed: readers do not wait for an unlisted parent before they read its children.
 */
function closedAt(shard: ListedShard): number {
  const { EndingSequenceNumber: end } = shard.SequenceNumberRange;
  if (end === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(openedAt(shard), (db.parseSequence(end).seqTime ?? 0) + 999);
}
