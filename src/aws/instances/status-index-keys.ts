import { hash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { InstanceKey } from '../../core/event/event.ts';
import type { StatusRow } from '../../core/status/status-row.ts';
import { indexPartitionOf, partitionOf } from './instance-keys.ts';
import type { Partitions } from './partition-counts.ts';

/** A sparse index: it contains only some instances. */
type SparseIndex = 'due' | 'late' | 'parked';

/** Returns an instance's keys in a sparse index. */
export const indexKeysOf = <Index extends SparseIndex>(
  name: Index,
  row: InstanceKey,
  moment: string,
  partitions: Partitions,
) =>
  ({
    [`${name}Shard`]: { S: indexPartitionOf(name, row, partitions.count) },
    [`${name}Key`]: { S: indexKey(moment, row) },
  }) as Record<`${Index}Shard` | `${Index}Key`, AttributeValue.SMember>;

/** Returns an instance's sort key in the index by status. */
export const changeKeyOf = (row: Pick<StatusRow, 'updatedAt' | 'model' | 'transaction'>) =>
  indexKey(row.updatedAt, row);

/** Returns the time in a sort key of an index by time. */
export const momentOf = (key: string): string => key.slice(0, key.indexOf('#'));

/** Returns a sort key that sorts after all index keys at or before a time. */
export const endOfMoment = (moment: string) => `${moment}#~`;

/**
 * Returns an instance's sort key in an index by time. A digest of the partition key distinguishes instances with the
 * same time because the partition key itself can be too long for a sort key.
 */
export const indexKey = (moment: string, instance: InstanceKey) =>
  `${moment}#${hash('sha1', partitionOf(instance)).slice(0, 12)}`;
