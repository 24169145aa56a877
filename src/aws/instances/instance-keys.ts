import { hash } from 'node:crypto';
import type { InstanceKey } from '../../core/event/event.ts';
import type { StreamPosition } from '../../core/history/commit.ts';
import type { SeenRun } from '../../core/history/seen-runs.ts';
import { sortableSequence } from '../../core/history/sequence.ts';
import { maximumSortKeyBytes } from '../dynamodb/item-size.ts';

/** How many partitions each index is spread over, so that no key gets hot. */
export const indexShards = 8;

/** The partition key of an instance's item collection. A model id has no `#`. */
export const partitionOf = ({ model, transaction }: InstanceKey) => `${model}#${transaction}`;

/** The instance that a partition key names. */
export function instanceOf(partition: string): InstanceKey {
  const end = partition.indexOf('#');
  return { model: partition.slice(0, end), transaction: partition.slice(end + 1) };
}

/** What the sort keys of commits start with. */
export const commitPrefix = 'COMMIT#';

/** The sort key of a commit: zero-padded, so that it sorts by version. */
export const commitKey = (version: number) => `${commitPrefix}${String(version).padStart(10, '0')}`;

/** What the sort keys of parked events start with. */
export const parkedPrefix = 'PARKED#';

/**
 * The sort key of a parked event: by shard, then by sequence number. A shard
 * comes after those that it was split or merged from, so that this is the order
 * in which an instance's events came, as long as they share a partition key.
 */
export const parkedKey = ({ shard, sequence }: StreamPosition) =>
  `${parkedPrefix}${shard}#${sortableSequence(sequence)}`;

/** The sort key of a page of a sorted run: see `SeenRun`. */
export const seenPageKey = ({ to, flushes }: SeenRun, page: number) =>
  `SEEN#${String(to).padStart(10, '0')}#${flushes}#${String(page).padStart(6, '0')}`;

/** A business key as a partition key starts with it. No model's id is empty, so no instance has such a one. */
const keyIndex = (key: string) => `#key#${key}`;

/**
 * The partitions of the instances that share a business key. Their sort keys are the partition keys of the
 * instances. They are several, so that a key of many busy instances is no hot partition.
 */
export const keyIndexPartitions = (key: string) => shardsOf(keyIndex(key));

/** The one of them that an instance belongs to. */
export const keyIndexPartition = (key: string, instance: InstanceKey) =>
  shardFor(keyIndex(key), instance);

/**
 * The sort key of an instance there: its partition key, or, where that is longer than a sort key may
 * be (an id of more than 959 bytes), the model's id and a digest.
 */
export function keyIndexSortKey(instance: InstanceKey): string {
  const partition = partitionOf(instance);
  return Buffer.byteLength(partition) <= maximumSortKeyBytes
    ? partition
    : `${instance.model}#${hash('sha256', partition)}`;
}

/** The sort key of an instance's status row. */
export const statusKey = 'STATUS';

/** The index partitions that one logical key is spread over. */
export const shardsOf = (key: string) =>
  Array.from({ length: indexShards }, (_, shard) => `${key}#${shard}`);

/** The one of them that an instance belongs to. */
export function shardFor(key: string, instance: InstanceKey): string {
  const digest = hash('sha1', partitionOf(instance));
  return `${key}#${Number.parseInt(digest.slice(0, 8), 16) % indexShards}`;
}
