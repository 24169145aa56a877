import { hash } from 'node:crypto';
import type { InstanceKey } from '../../core/event/event.ts';
import type { SeenRun } from '../../core/history/seen-runs.ts';
import type { StreamPosition } from '../../core/history/sequence.ts';
import { sortableSequence } from '../../core/history/sequence.ts';
import { maximumSortKeyBytes } from '../dynamodb/item-size.ts';

/** The partition key of an instance's item collection. Model ids never contain `#`. */
export const partitionOf = ({ model, transaction }: InstanceKey) => `${model}#${transaction}`;

/** Returns the key of an item in an instance's item collection. */
export const itemKey = (instance: InstanceKey, sk: string) => ({
  pk: { S: partitionOf(instance) },
  sk: { S: sk },
});

/** Parses a partition key into the instance that it identifies. */
export function instanceOf(partition: string): InstanceKey {
  const end = partition.indexOf('#');
  return { model: partition.slice(0, end), transaction: partition.slice(end + 1) };
}

/** The prefix of the sort keys of commits. */
export const commitPrefix = 'COMMIT#';

/** The sort key of a commit. The version is zero-padded, so that commits sort by version. */
export const commitKey = (version: number) => `${commitPrefix}${String(version).padStart(10, '0')}`;

/** The prefix of the sort keys of parked events. */
export const parkedPrefix = 'PARKED#';

/**
 * The sort key of a parked event, which consists of the shard and the sequence number. A shard sorts after the shards
 * from which it was split or merged, so events of an instance with the same partition key sort by arrival.
 */
export const parkedKey = ({ shard, sequence }: StreamPosition) =>
  `${parkedPrefix}${shard}#${sortableSequence(sequence)}`;

/** The sort key of a page in a sorted run: see `SeenRun`. */
export const seenPageKey = ({ to, flushes }: SeenRun, page: number) =>
  `SEEN#${String(to).padStart(10, '0')}#${flushes}#${String(page).padStart(6, '0')}`;

/**
 * The prefix of the partition keys for a business key. Model ids are never empty, so the prefix matches no instance.
 */
const keyIndex = (key: string) => `#key#${key}`;

/**
 * The partitions of the key index for a business key. The sort keys of their items are the partition keys of the
 * instances that share the business key. Distributing the items prevents a hot partition if many busy instances share a
 * key.
 */
export const keyIndexPartitions = (key: string, count: number) =>
  indexPartitionsOf(keyIndex(key), count);

/** The partition of the key index to which an instance belongs for a business key. */
export const keyIndexPartition = (key: string, instance: InstanceKey, count: number) =>
  indexPartitionOf(keyIndex(key), instance, count);

/**
 * The sort key of an instance in the key index: its partition key or, if that is too long for a sort key, the model id
 * and a digest. The partition key can be too long if the transaction id has more than 959 bytes.
 */
export function keyIndexSortKey(instance: InstanceKey): string {
  const partition = partitionOf(instance);
  return Buffer.byteLength(partition) <= maximumSortKeyBytes
    ? partition
    : `${instance.model}#${hash('sha256', partition)}`;
}

/** The sort key of an instance's status row. */
export const statusKey = 'STATUS';

/**
 * The index partitions over which a logical key is distributed.
 *
 * @param count the number of partitions: see `Partitions`.
 */
export const indexPartitionsOf = (key: string, count: number) =>
  Array.from({ length: count }, (_, partition) => `${key}#${partition}`);

/** The logical key of the instances of a model with a status, in the index by status. */
export const statusIndexKey = ({
  model,
  status,
}: {
  readonly model: string;
  readonly status: string;
}) => `${model}#${status}`;

/** The partition of a logical index key to which an instance belongs. */
export const indexPartitionOf = (key: string, instance: InstanceKey, count: number) =>
  `${key}#${indexPartitionNumber(instance, count)}`;

/** The number of the partition to which an instance belongs, in every index with `count` partitions per key. */
export const indexPartitionNumber = (instance: InstanceKey, count: number) =>
  Number.parseInt(hash('sha1', partitionOf(instance)).slice(0, 8), 16) % count;
