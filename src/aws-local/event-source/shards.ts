/** A record read from a shard. */
export interface ShardRecord {
  /** A decimal number of any size. It increases within its shard and is not comparable across shards. */
  readonly sequenceNumber: string;
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /** The time when the stream received it, in milliseconds since 1970. */
  readonly arrivedAt: number;
}

/** A shard with its parents: one after a split, two after a merge. */
export interface Shard {
  readonly id: string;
  readonly parentId?: string;
  readonly adjacentParentId?: string;
}

/** The position where reading of a shard starts. Checkpoints store such a position. */
export type ShardPosition =
  | { readonly at: 'TRIM_HORIZON' }
  | { readonly at: 'LATEST' }
  | { readonly at: 'AT_TIMESTAMP' /** Milliseconds since 1970. */; readonly timestamp: number }
  | { readonly at: 'AFTER_SEQUENCE_NUMBER'; readonly sequenceNumber: string };

export interface ShardPage {
  /** In shard order. */
  readonly records: readonly ShardRecord[];
  /** True if the shard was split or merged and this is its last page. */
  readonly closed: boolean;
  /** True if the shard had no further records at the time of the read. */
  readonly isAtTip: boolean;
}

/** A position in a shard that advances with each page. */
export interface ShardCursor {
  /** Reads the next page. After an error, the position is unchanged, and the next call reads the same records. */
  read(limit: number, signal: AbortSignal): Promise<ShardPage>;
}

export interface ShardReader {
  /** Lists every shard within the stream's retention, including closed ones. */
  listShards(signal: AbortSignal): Promise<readonly Shard[]>;
  /** Returns a cursor at a position. Does no I/O, so all failures occur in `read`, which is retried. */
  open(shardId: string, position: ShardPosition): ShardCursor;
}

/**
 * Returns the shards that can start now: those whose parents are all finished, that is, read to their end and
 * completely processed. A parent that is not listed is past the stream's retention, so its children do not wait for it.
 */
export function startableShards(
  shards: readonly Shard[],
  started: ReadonlySet<string>,
  finished: ReadonlySet<string>,
): readonly Shard[] {
  const listed = new Set(shards.map((shard) => shard.id));
  const isWaitedFor = (parent: string | undefined): boolean =>
    parent !== undefined && listed.has(parent) && !finished.has(parent);
  return shards.filter(
    (shard) =>
      !started.has(shard.id) &&
      !isWaitedFor(shard.parentId) &&
      !isWaitedFor(shard.adjacentParentId),
  );
}
