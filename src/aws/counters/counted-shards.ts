import { hash } from 'node:crypto';
import { scanShard } from '../../counter/rebuild/count-page.ts';
import type { Item } from '../client/dynamodb.ts';

/*
 * Each counter item has an attribute for every shard whose changes it has recently counted. The attribute contains the
 * last counted change's position and the time of the update.
 */

const prefix = 'shard:';
/** The radix used to write the time of an update. */
const radix = 36;

/**
 * How long the position in a shard is needed after its last update, in milliseconds. The stream keeps changes for one
 * day, so it can no longer redeliver a change that was counted two days ago.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
const positionLifetime = 2 * 24 * 60 * 60 * 1_000;

/**
 * Returns the name of a shard's attribute, which is a short digest of the shard id. With complete ids, which have 37
 * characters, an item with the positions of two days would exceed the 1 KB of a write unit.
 */
export const shardAttribute = (shard: string) =>
  `${prefix}${hash('sha1', shard, 'base64url').slice(0, 8)}`;

/**
 * Formats a sequence number so that the results for a shard sort as text in the same order as the numbers. Decimal
 * numbers with the same number of digits already sort this way, so the result starts with the number of digits.
 */
export const sortablePosition = (sequence: string) =>
  `${String(sequence.length).padStart(2, '0')}.${sequence}`;

/** Formats the position up to which a shard is counted. The result sorts after the same position without a time. */
export const countedUpTo = (sequence: string, now: number) =>
  `${sortablePosition(sequence)}@${Math.floor(now / 1_000).toString(radix)}`;

/** Returns true if a change is at or before the position up to which its shard is counted. */
export const isCounted = (sequence: string, counted: string) =>
  sortablePosition(sequence) <= counted.slice(0, counted.indexOf('@'));

/**
 * Returns an item's positions that are no longer needed, with the names of their attributes. A scan's position is
 * always needed: an interrupted rebuild can continue days later and then counts its last page again.
 */
export const expiredPositions = (item: Item, now: number): [name: string, counted: string][] =>
  Object.entries(item).flatMap(([name, { S: counted = '' }]) => {
    if (!name.startsWith(prefix) || name === shardAttribute(scanShard)) return [];
    const updatedAt = Number.parseInt(counted.slice(counted.indexOf('@') + 1), radix) * 1_000;
    return updatedAt < now - positionLifetime ? [[name, counted]] : [];
  });
