import { hash } from 'node:crypto';
import type { InstanceKey } from '../../core/event/event.ts';
import type { SeenRun } from '../../core/history/seen-runs.ts';
import { type StreamPosition, sortableSequence } from '../../core/history/sequence.ts';
import { maximumSortKeyBytes } from '../dynamodb/item-size.ts';

/** Returns the partition key of an instance's item collection. Model ids never contain `#`. */
export const partitionOf = ({ model, transaction }: InstanceKey) => `${model}#${transaction}`;

/** Returns the key of an item in an instance's item collection. */
export const itemKey = (instance: InstanceKey, sk: string) => ({
  pk: { S: partitionOf(instance) },
  sk: { S: sk },
});

/** Returns the parameters of a query for an instance's items from one sort key to another, both inclusive. */
export const sortKeysBetween = (instance: InstanceKey, first: string, last: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
  ExpressionAttributeValues: {
    ':pk': { S: partitionOf(instance) },
    ':first': { S: first },
    ':last': { S: last },
  },
});

/** Parses a partition key into the instance that it identifies. */
export function instanceOf(partition: string): InstanceKey {
  const end = partition.indexOf('#');
  return { model: partition.slice(0, end), transaction: partition.slice(end + 1) };
}

/** The prefix of commits' sort keys. */
export const commitPrefix = 'COMMIT#';

/** Returns the sort key of a commit. The version is zero-padded so that commits sort by version. */
export const commitKey = (version: number) => `${commitPrefix}${String(version).padStart(10, '0')}`;

/** The prefix of parked events' sort keys. */
export const parkedPrefix = 'PARKED#';

/**
 * Returns the sort key of a parked event: a prefix, the shard, and the sequence number. A shard sorts after the shards
 * that it was split or merged from, so an instance's events with the same partition key sort by arrival.
 */
export const parkedKey = ({ shard, sequence }: StreamPosition) =>
  `${parkedPrefix}${shard}#${sortableSequence(sequence)}`;

/** Returns the sort key of a page in a sorted run: see `SeenRun`. */
export const seenPageKey = ({ to, flushes }: SeenRun, page: number) =>
  `SEEN#${String(to).padStart(10, '0')}#${flushes}#${String(page).padStart(6, '0')}`;

/**
 * Returns the prefix of a business key's partition keys. Model ids are never empty, so the prefix matches no instance.
 */
const keyIndex = (key: string) => `#key#${key}`;

/**
 * Returns the key index partitions for a business key. The sort keys of their items identify the instances that share
 * the business key. Distributing the items prevents a hot partition if many busy instances share a key.
 */
export const keyIndexPartitions = (key: string, count: number) =>
  indexPartitionsOf(keyIndex(key), count);

/** Returns the key index partition that contains an instance's item for a business key. */
export const keyIndexPartition = (key: string, instance: InstanceKey, count: number) =>
  indexPartitionOf(keyIndex(key), instance, count);

/**
 * Returns an instance's sort key in the key index: its partition key or, if that is too long for a sort key, the model
 * id and a digest. The partition key can be too long if the transaction id has more than 959 bytes.
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
 * Returns the index partitions across which a logical key is distributed.
 *
 * @param count the number of partitions: see `Partitions`.
 */
export const indexPartitionsOf = (key: string, count: number) =>
  Array.from({ length: count }, (_, partition) => `${key}#${partition}`);

/** Returns the logical key of a model's instances with a status in the index by status. */
export const statusIndexKey = ({
  model,
  status,
}: {
  readonly model: string;
  readonly status: string;
}) => `${model}#${status}`;

/** Returns the partition of a logical index key that contains an instance. */
export const indexPartitionOf = (key: string, instance: InstanceKey, count: number) =>
  `${key}#${indexPartitionNumber(instance, count)}`;

/** Returns the number of the partition that contains an instance in every index with `count` partitions per key. */
export const indexPartitionNumber = (instance: InstanceKey, count: number) =>
  Number.parseInt(hash('sha1', partitionOf(instance)).slice(0, 8), 16) % count;
