import type { KinesisStreamEvent } from 'aws-lambda';
import type { InvocationRecord } from './invocation-record.ts';

/** A record as it was read from a shard. */
export interface StreamRecord {
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
  readonly records: readonly StreamRecord[];
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
 * How an invocation ended. Only `functionError` says that the function ran and failed; a payload
 * that Lambda refuses for good (413) counts as one too, because trying again cannot help.
 */
export type InvokeResult =
  | { readonly kind: 'ok'; readonly response: unknown; readonly requestId?: string }
  | {
      readonly kind: 'functionError';
      readonly functionError: 'Handled' | 'Unhandled';
      readonly message: string;
      readonly requestId?: string;
    }
  | { readonly kind: 'throttled' | 'unavailable'; readonly message: string };

/**
 * Invokes the function and waits for its answer. What it throws counts as `unavailable`. The signal
 * aborts when a stop has waited long enough; the result is then no longer looked at.
 */
export type Invoke = (payload: KinesisStreamEvent, signal: AbortSignal) => Promise<InvokeResult>;

/**
 * Resolves when an invocation would run at once, to one who waits at a time. A batch is made only
 * then: where the function is busy, what comes meanwhile is in it.
 */
export type Turn = () => Promise<void>;

/** Where discarded batches go. When it throws, the same batch is delivered again. */
export interface Destination {
  deliver(record: InvocationRecord): Promise<void>;
}

export interface CheckpointStore {
  /** The position of each shard ever saved. */
  load(): Promise<ReadonlyMap<string, ShardPosition>>;
  /** Replaces the positions of these shards in one step, and leaves those of others. */
  save(positions: ReadonlyMap<string, ShardPosition>): Promise<void>;
}

/** A shard that has had work to do for a while, and on which nothing moves. */
export interface StalledShard {
  /** Null: the stream's shards are not known. */
  readonly shardId: string | null;
  /** Since when, milliseconds since 1970. */
  readonly since: number;
  readonly reason: string;
}

/** Says to the operator what went wrong and what is done about it. */
export type Log = (message: string, fields?: Readonly<Record<string, unknown>>) => void;
