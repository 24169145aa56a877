import { randomBytes } from 'node:crypto';
import type { StreamViewType } from '@aws-sdk/client-dynamodb';
import { accountId, region } from '../../account.ts';

/** A change stream of a table, as stored in the database. */
export interface StoredStream {
  readonly arn: string;
  readonly label: string;
  readonly tableName: string;
  readonly viewType: StreamViewType;
  readonly keySchema: readonly { readonly AttributeName: string }[];
  /** When the stream was created, in milliseconds since 1970. */
  readonly createdAt: number;
  readonly status: 'ENABLED' | 'DISABLED';
  /** The shards, in order of creation. */
  readonly shards: readonly StoredShard[];
}

export interface StoredShard {
  readonly id: string;
  readonly parentId?: string;
  /** The number of the part of the partition keys that the shard receives, from 0 to `openShards - 1`. */
  readonly part: number;
  /** The first sequence number that a record in the shard can have. */
  readonly start: string;
  /** The last sequence number that a record in the shard can have; undefined while the shard is open. */
  readonly end?: string;
  /** When the shard was opened, in milliseconds since 1970. */
  readonly openedAt: number;
  readonly closedAt?: number;
}

/**
 * The number of open shards per stream: enough for consumers to read several shards, and few enough to save resources.
 */
const openShards = 2;

/** Returns a new stream with its first shards. */
export function newStream(
  table: Pick<StoredStream, 'tableName' | 'keySchema' | 'viewType'>,
  start: string,
  now: number,
): StoredStream {
  const { tableName, keySchema, viewType } = table;
  const label = new Date(now).toISOString().slice(0, -1);
  const arn = `arn:aws:dynamodb:${region}:${accountId}:table/${tableName}/stream/${label}`;
  const shards = Array.from({ length: openShards }, (_, part) => newShard(part, start, now));
  return { arn, label, tableName, viewType, keySchema, createdAt: now, status: 'ENABLED', shards };
}

/** Returns the stream after the selected open shards are closed at a sequence number. */
export function closeShards(
  stream: StoredStream,
  shouldClose: (shard: StoredShard) => boolean,
  end: string,
  now: number,
): StoredStream {
  const shards = stream.shards.map((shard) =>
    shard.end === undefined && shouldClose(shard) ? { ...shard, end, closedAt: now } : shard,
  );
  return { ...stream, shards };
}

/**
 * Replaces the open shards that have reached their lifetime with child shards. AWS replaces a shard about every four
 * hours.
 *
 * @param latest the latest sequence number, at which the replaced shards end.
 * @param next the first sequence number of the child shards.
 */
export function rollOver(
  stream: StoredStream,
  { latest, next }: { readonly latest: string; readonly next: string },
  now: number,
  lifetimeMs: number,
): StoredStream {
  const isDue = ({ end, openedAt }: StoredShard) =>
    end === undefined && now - openedAt >= lifetimeMs;
  const children = stream.shards
    .filter(isDue)
    .map(({ id, part }) => ({ ...newShard(part, next, now), parentId: id }));
  if (children.length === 0) return stream;
  const closed = closeShards(stream, isDue, latest, now);
  return { ...closed, shards: [...closed.shards, ...children] };
}

/** Returns the stream without the shards that were closed before the start of the retention period. */
export function withoutExpiredShards(stream: StoredStream, keptSince: number): StoredStream {
  const shards = stream.shards.filter(({ closedAt = keptSince }) => closedAt >= keptSince);
  return shards.length === stream.shards.length ? stream : { ...stream, shards };
}

/**
 * Returns the id of the open shard for an item.
 *
 * @param itemKey dynalite's key of the item in its table. The key starts with a hash of the partition key, in
 *   hexadecimal.
 */
export function shardOf({ shards }: StoredStream, itemKey: string): string {
  const part = Number.parseInt(itemKey.slice(0, 6), 16) % openShards;
  const shard = shards.find((each) => each.end === undefined && each.part === part);
  if (shard === undefined) throw new Error(`no shard of the stream is open for part ${part}`);
  return shard.id;
}

function newShard(part: number, start: string, now: number): StoredShard {
  const id = `shardId-${String(now).padStart(20, '0')}-${randomBytes(4).toString('hex')}`;
  return { id, part, start, openedAt: now };
}
