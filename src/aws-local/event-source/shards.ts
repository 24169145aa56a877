export interface ShardRecord {
  /** A decimal number of any size, increasing within a shard and not comparable across shards. */
  readonly sequenceNumber: string;
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /** When the stream received the record, in milliseconds since 1970. */
  readonly arrivedAt: number;
}

/** A shard, with the ids of its parents: one parent after a split, two parents after a merge. */
export interface Shard {
  readonly id: string;
  readonly parentId?: string;
  readonly adjacentParentId?: string;
}

/** The position in a shard where reading starts, as stored in checkpoints. */
export type ShardPosition =
  | { readonly at: 'TRIM_HORIZON' }
  | { readonly at: 'LATEST' }
  | { readonly at: 'AT_TIMESTAMP' /** Milliseconds since 1970. */; readonly timestamp: number }
  | { readonly at: 'AFTER_SEQUENCE_NUMBER'; readonly sequenceNumber: string };

export interface ShardPage {
  /** The records on the page, in shard order. */
  readonly records: readonly ShardRecord[];
  /** True for the last page of a shard that has been closed, for example by a split or a merge. */
  readonly closed: boolean;
  /** True if the shard had no more records at the time of the read. */
  readonly isAtTip: boolean;
}

/** A position in a shard that advances with each page. */
export interface ShardCursor {
  /** Reads the next page. After an error, the position is unchanged, and the next call reads the same records. */
  read(limit: number, signal: AbortSignal): Promise<ShardPage>;
}

export interface ShardReader {
  /** Lists all shards within the stream's retention period, including closed shards. */
  listShards(signal: AbortSignal): Promise<readonly Shard[]>;
  /** Returns a cursor at a position. Performs no I/O, so all failures occur in `read`, which is retried. */
  open(shardId: string, position: ShardPosition): ShardCursor;
}

/**
 * Returns the shards that can start now: their parents are finished, that is, all records of the parents have been read
 * and processed. A parent that is not listed is past the stream's retention period, so its children do not wait for it.
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
