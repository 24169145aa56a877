import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { InstanceKey } from '../../core/event/event.ts';
import { parkedRow } from '../../core/status/status-row.ts';
import type { QueueSummary } from '../../parking/parking-store.ts';
import type { Item } from '../client/dynamodb.ts';
import { namePlaceholders, valuePlaceholders } from '../dynamodb/placeholders.ts';
import { itemKey, statusKey } from '../instances/instance-keys.ts';
import type { Partitions } from '../instances/partition-counts.ts';
import { attribute, type StatusItem } from '../instances/status-attributes.ts';
import { indexKeysOf } from '../instances/status-index-keys.ts';
import { attributesOf } from '../instances/status-item.ts';

export interface QueueCount extends QueueSummary {
  /** The queue's version at the time of the count; undefined if there was no row. */
  readonly seen: number | undefined;
  /** The announcements of changes that have ended. The update deletes these announcements. */
  readonly ended: readonly string[];
}

/**
 * Builds the update that announces a queue change on the instance's status row. The response contains the row's
 * attributes as they were before the update.
 */
export function announceUpdate(
  table: string,
  instance: InstanceKey,
  name: string,
): UpdateItemCommandInput {
  return {
    ...rowKeyOf(table, instance),
    UpdateExpression: `ADD ${attribute('queueVersion')} :one, ${attribute('parking')} :name`,
    ExpressionAttributeValues: { ':one': { N: '1' }, ':name': { SS: [name] } },
    ReturnValues: 'ALL_OLD',
  };
}

/** Builds the update that deletes announcements from the instance's status row. */
export function withdrawUpdate(
  table: string,
  instance: InstanceKey,
  ended: readonly string[],
): UpdateItemCommandInput {
  return {
    ...rowKeyOf(table, instance),
    UpdateExpression: `DELETE ${attribute('parking')} :ended`,
    ExpressionAttributeValues: { ':ended': { SS: [...ended] } },
  };
}

/**
 * Builds the update that writes the number of parked events to a status row. The update's condition fails if another
 * queue change has begun or ended since the count. If events are parked, the update also adds the other attributes that
 * the row lacks. Returns undefined if no event is parked and no row exists.
 *
 * @param partitions the numbers of partitions across which the index keys are distributed.
 */
export function queueUpdate(
  table: string,
  instance: InstanceKey,
  { count, since, seen, ended }: QueueCount,
  partitions: Partitions,
): UpdateItemCommandInput | undefined {
  // No event is parked and no row exists, so there is nothing to correct.
  if (seen === undefined && since === undefined) return undefined;
  const first =
    since === undefined ? {} : attributesOf(parkedRow(instance, since, count), partitions);
  const names = Object.keys(first);
  const fill = names.map((name) => `, #${name} = if_not_exists(#${name}, :${name})`).join('');
  const place = since === undefined ? {} : indexKeysOf('parked', instance, since, partitions);
  const into = Object.keys(place).map((name) => `, ${name} = :${name}`);
  const outOf =
    since === undefined ? ` REMOVE ${attribute('parkedShard')}, ${attribute('parkedKey')}` : '';
  const isFirst = seen === undefined || seen === 0;
  return {
    ...rowKeyOf(table, instance),
    UpdateExpression: `SET ${attribute('parked')} = :parked${fill}${into.join('')}${outOf} ADD ${attribute('queueVersion')} :one${ended.length > 0 ? ` DELETE ${attribute('parking')} :ended` : ''}`,
    ConditionExpression: isFirst
      ? `attribute_not_exists(${attribute('queueVersion')})`
      : `${attribute('queueVersion')} = :seen`,
    ...(names.length > 0 && { ExpressionAttributeNames: namePlaceholders(names) }),
    ExpressionAttributeValues: {
      ...valuePlaceholders({ ...first, ...place }),
      ':parked': { N: String(count) },
      ':one': { N: '1' },
      ...(isFirst ? {} : { ':seen': { N: String(seen) } }),
      ...(ended.length > 0 ? { ':ended': { SS: [...ended] } } : {}),
    },
  };
}

/** Returns true if a row of an instance without a commit has no parked events and no announced change. */
export const isObsolete = (row: StatusItem) =>
  row.version?.N === '0' && row.parked?.N === '0' && !row.parking;

/**
 * Builds the update that removes the attributes of an obsolete row. The update's condition fails if the queue has
 * changed or the instance's first commit has been written to the row in the meantime. The row keeps its queue version,
 * which must never decrease.
 */
export function clearUpdate(
  table: string,
  instance: InstanceKey,
  row: Item,
): UpdateItemCommandInput {
  const { pk: _, sk: __, parked: ___, queueVersion: seen, ...removed } = row;
  const names = Object.keys(removed);
  return {
    ...rowKeyOf(table, instance),
    UpdateExpression: `REMOVE ${names.map((name) => `#${name}`).join(', ')} ADD ${attribute('queueVersion')} :one`,
    ConditionExpression: `#${attribute('version')} = :none AND ${attribute('queueVersion')} = :seen`,
    ExpressionAttributeNames: namePlaceholders(names),
    ExpressionAttributeValues: { ':none': { N: '0' }, ':seen': seen!, ':one': { N: '1' } },
  };
}

const rowKeyOf = (table: string, instance: InstanceKey) => ({
  TableName: table,
  Key: itemKey(instance, statusKey),
});
