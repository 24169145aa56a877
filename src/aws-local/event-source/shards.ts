/** A record as it was read from a shard. */
export interface ShardRecord {
  /** A decimal number of any size; it grows within its shard and means nothing in another. */
  readonly sequenceNumber: string;
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /** When the stream took it, milliseconds since 1970. */
  readonly arrivedAt: number;
}

/** A shard with the shards that a split (one parent) or a merge (two) made it from. */
export interface Shard {
  readonly id: string;
  readonly parentId?: string;
  readonly adjacentParentId?: string;
}

/** Where reading of a shard begins. It is also what a checkpoint holds. */
export type ShardPosition =
  | { readonly at: 'TRIM_HORIZON' }
  | { readonly at: 'LATEST' }
  | { readonly at: 'AT_TIMESTAMP' /** Milliseconds since 1970. */; readonly timestamp: number }
  | { readonly at: 'AFTER_SEQUENCE_NUMBER'; readonly sequenceNumber: string };

export interface ShardPage {
  /** In the order of the shard. */
  readonly records: readonly ShardRecord[];
  /** The shard was split or merged, and this page was its last. */
  readonly closed: boolean;
  /** 0: there was nothing more to read. */
  readonly millisBehindLatest: number;
}

/** A place in a shard that moves on with each page. */
export interface ShardCursor {
  /** Reads on. When it throws, the place is kept, and the same records are read by the next call. */
  read(limit: number, signal: AbortSignal): Promise<ShardPage>;
}

export interface ShardReader {
  /** Every shard within the stream's retention, closed ones too. Throws when it cannot tell. */
  listShards(signal: AbortSignal): Promise<readonly Shard[]>;
  /** Does no I/O: what can fail fails in `read`, where it is tried again. */
  open(shardId: string, position: ShardPosition): ShardCursor;
}

/**
 * The shards that may start now: those not yet started whose parents are all finished, that is,
 * read to their end and every record of them processed. A parent that is not listed lies outside
 * the stream's retention, and nothing of it can be waited for.
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
