import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { InstanceKey } from '../../core/event/event.ts';
import { parkedStatus } from '../../core/status/status-row.ts';
import type { QueueSummary } from '../../parking/parking-store.ts';
import type { Item } from '../client/dynamodb.ts';
import { partitionOf, statusKey } from '../instances/instance-keys.ts';
import { attributesOf, indexKeysOf } from '../instances/status-item.ts';

/** What is known of an instance's queue. */
export interface QueueCount extends QueueSummary {
  /** The version of the queue when it was counted; undefined where there was no row. */
  readonly seen: number | undefined;
  /** The announcements of changes that are over. */
  readonly ended: readonly string[];
}

/** The update that announces a change of an instance's queue on its status row, and gives the row as it was. */
export function announceUpdate(
  table: string,
  instance: InstanceKey,
  name: string,
): UpdateItemCommandInput {
  return {
    ...rowKeyOf(table, instance),
    UpdateExpression: 'ADD queueVersion :one, parking :name',
    ExpressionAttributeValues: { ':one': { N: '1' }, ':name': { SS: [name] } },
    ReturnValues: 'ALL_OLD',
  };
}

/**
 * The update that has a status row say how many events are parked, unless another change of the queue
 * began meanwhile. Where it says nothing else yet, because the very first event is parked, it says that.
 */
export function queueUpdate(
  table: string,
  instance: InstanceKey,
  { count, since, seen, ended }: QueueCount,
): UpdateItemCommandInput | undefined {
  // Nothing is parked, and there is no row that could say otherwise.
  if (seen === undefined && since === undefined) return undefined;
  const first = since === undefined ? {} : firstAttributes(instance, since);
  const names = Object.keys(first);
  const fill = names.map((name) => `, #${name} = if_not_exists(#${name}, :${name})`).join('');
  const place = since === undefined ? {} : indexKeysOf('parked', instance, since);
  const into = Object.keys(place).map((name) => `, ${name} = :${name}`);
  const outOf = since === undefined ? ' REMOVE parkedShard, parkedKey' : '';
  const isFirst = seen === undefined || seen === 0;
  return {
    ...rowKeyOf(table, instance),
    UpdateExpression: `SET parked = :parked${fill}${into.join('')}${outOf} ADD queueVersion :one${ended.length > 0 ? ' DELETE parking :ended' : ''}`,
    ConditionExpression: isFirst ? 'attribute_not_exists(queueVersion)' : 'queueVersion = :seen',
    ...(names.length > 0
      ? { ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])) }
      : {}),
    ExpressionAttributeValues: {
      ...Object.fromEntries(names.map((name) => [`:${name}`, first[name]!])),
      ...Object.fromEntries(Object.entries(place).map(([name, value]) => [`:${name}`, value])),
      ':parked': { N: String(count) },
      ':one': { N: '1' },
      ...(isFirst ? {} : { ':seen': { N: String(seen) } }),
      ...(ended.length > 0 ? { ':ended': { SS: [...ended] } } : {}),
    },
  };
}

const rowKeyOf = (table: string, instance: InstanceKey) => ({
  TableName: table,
  Key: { pk: { S: partitionOf(instance) }, sk: { S: statusKey } },
});

/** What a row says of an instance of which nothing is applied yet. */
function firstAttributes(instance: InstanceKey, since: string): Item {
  return attributesOf({
    ...instance,
    version: 0,
    modelVersion: 0,
    status: parkedStatus,
    done: false,
    progress: null,
    startedAt: since,
    updatedAt: since,
    statusSince: since,
    dueAt: null,
    lateAt: null,
    keys: [],
    parked: 0,
  });
}
