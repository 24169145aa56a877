import { hash } from 'node:crypto';
import type { BatchStatementRequest, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Visit } from '../../clock/due-timer-index.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import { type StatusRow, statusRow } from '../../core/status/status-row.ts';
import type { Item } from '../client/dynamodb.ts';
import { insertStatement } from '../dynamodb/execute-statements.ts';
import { namePlaceholders, valuePlaceholders } from '../dynamodb/placeholders.ts';
import { parseStored } from '../dynamodb/stored-json.ts';
import {
  indexPartitionOf,
  instanceOf,
  itemKey,
  partitionOf,
  statusIndexKey,
  statusKey,
} from './instance-keys.ts';
import type { Partitions } from './partition-counts.ts';

/**
 * Builds the update that writes an instance's status row after a commit. Its condition fails if the row already has
 * the version of that commit or a later one.
 */
export const statusUpdate = (
  tableName: string,
  head: Head,
  partitions: Partitions,
): UpdateItemCommandInput =>
  updateIf('attribute_not_exists(#version) OR #version < :version', tableName, head, partitions);

/**
 * Builds the update that rewrites a status row regardless of its content, unless its version has changed since the row
 * was read. The version can stay the same, so the update increments the queue version: together, the two versions
 * identify a state of the row.
 *
 * @param seen the version that was read; undefined if there was no row or it had no version.
 */
export function statusRewrite(
  tableName: string,
  head: Head,
  seen: number | undefined,
  partitions: Partitions,
): UpdateItemCommandInput {
  if (seen === undefined)
    return updateIf('attribute_not_exists(#version)', tableName, head, partitions);
  const update = updateIf('#version = :seen', tableName, head, partitions);
  return {
    ...update,
    UpdateExpression: `${update.UpdateExpression} ADD queueVersion :one`,
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':seen': { N: String(seen) },
      ':one': { N: '1' },
    },
  };
}

function updateIf(
  ConditionExpression: string,
  tableName: string,
  head: Head,
  partitions: Partitions,
): UpdateItemCommandInput {
  const row = statusRow(head);
  const attributes = attributesOf(row, partitions);
  const names = Object.keys(attributes);
  const unwanted = absentAttributes(attributes);
  return {
    TableName: tableName,
    Key: itemKey(row, statusKey),
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}${
      unwanted.length > 0 ? ` REMOVE ${unwanted.join(', ')}` : ''
    }`,
    ConditionExpression,
    ExpressionAttributeNames: namePlaceholders(names),
    ExpressionAttributeValues: valuePlaceholders(attributes),
  };
}

/**
 * Builds the status update as a PartiQL statement. For the first commit of an instance, the statement inserts the row
 * and fails if a row exists. For any other commit, it updates the row and fails if the row is missing or already has
 * that version or a later one.
 */
export function statusStatement(
  tableName: string,
  head: Head,
  partitions: Partitions,
): BatchStatementRequest {
  const row = statusRow(head);
  const attributes = attributesOf(row, partitions);
  const key = itemKey(row, statusKey);
  if (row.version === 1) return insertStatement(tableName, { ...key, ...attributes });
  const set = Object.keys(attributes).map((name) => `SET "${name}" = ?`);
  const remove = absentAttributes(attributes).map((name) => `REMOVE "${name}"`);
  return {
    Statement: `UPDATE "${tableName}" ${[...set, ...remove].join(' ')} WHERE "pk" = ? AND "sk" = ? AND "version" < ?`,
    Parameters: [...Object.values(attributes), key.pk, key.sk, attributes.version!],
  };
}

/** A logical index key that no list reads. Model ids are never empty, so it matches no model. */
const unlisted = '#unlisted';

/**
 * Returns a status row's attributes that are derived from a commit.
 *
 * @param partitions the numbers of partitions across which the index keys are distributed.
 * @param isMarkedLate whether the clock has marked the instance as late since the commit.
 */
export function attributesOf(row: StatusRow, partitions: Partitions, isMarkedLate = false): Item {
  const { dueAt, lateAt, updatedAt } = row;
  const isLate = lateAt !== null && (isMarkedLate || lateAt <= updatedAt);
  const visits = [dueAt, isLate ? null : lateAt].filter((moment) => moment !== null);
  // Unlisted rows must also have index keys. Otherwise, parking an event would add the keys of a listed row.
  const isListed = row.startedAt !== null;
  return {
    version: { N: String(row.version) },
    modelVersion: { N: String(row.modelVersion) },
    status: { S: row.status },
    done: { BOOL: row.done },
    progress: row.progress === null ? { NULL: true } : { N: String(row.progress) },
    startedAt: row.startedAt === null ? { NULL: true } : { S: row.startedAt },
    updatedAt: { S: row.updatedAt },
    statusSince: { S: row.statusSince },
    changeKey: { S: changeKeyOf(row) },
    statusShard: {
      S: indexPartitionOf(isListed ? statusIndexKey(row) : unlisted, row, partitions.count),
    },
    transactionShard: {
      S: indexPartitionOf(isListed ? row.model : unlisted, row, partitions.byTransaction),
    },
    transaction: { S: row.transaction },
    ...(row.deadlines.length > 0 ? { deadlines: { S: JSON.stringify(row.deadlines) } } : {}),
    ...(row.keys.length > 0 ? { businessKeys: { S: JSON.stringify(row.keys) } } : {}),
    ...(dueAt === null ? {} : { dueAt: { S: dueAt } }),
    ...(visits.length === 0 ? {} : indexKeysOf('due', row, visits.toSorted()[0]!, partitions)),
    ...lateAttributes(row, partitions),
    ...(isLate ? { late: { BOOL: true } } : {}),
  };
}

/**
 * Returns the index attributes of an instance that is or will be late or at risk. If it becomes at risk before it
 * becomes late, its sort key starts with `riskAt`. The index keys are not written again when the instance becomes late,
 * so the sort key also contains `lateAt`.
 */
function lateAttributes(row: StatusRow, partitions: Partitions): Item {
  const { lateAt, lateMilestone, riskAt, riskMilestone } = row;
  const first = riskAt ?? lateAt;
  if (first === null) return {};
  const { lateShard, lateKey } = indexKeysOf('late', row, first, partitions);
  return {
    ...(lateAt === null ? {} : { lateAt: { S: lateAt } }),
    ...(lateMilestone === null ? {} : { lateMilestone: { S: lateMilestone } }),
    ...(riskAt === null ? {} : { riskAt: { S: riskAt } }),
    ...(riskMilestone === null ? {} : { riskMilestone: { S: riskMilestone } }),
    lateShard: lateShard!,
    lateKey: riskAt === null ? lateKey! : { S: `${lateKey!.S}#${lateAt ?? never}` },
  };
}

/** Sorts after every time. */
const never = '~';

/** Returns an instance's keys in a sparse index. */
export const indexKeysOf = (
  name: 'due' | 'late' | 'parked',
  row: InstanceKey,
  moment: string,
  partitions: Partitions,
): Item => ({
  [`${name}Shard`]: { S: indexPartitionOf(name, row, partitions.count) },
  [`${name}Key`]: { S: indexKey(moment, row) },
});

/** Returns the attributes of an earlier row that an update must remove. */
export const absentAttributes = (attributes: Item): string[] =>
  sparseAttributes.filter((name) => !(name in attributes));

const sparseAttributes = [
  'deadlines',
  'businessKeys',
  ...['dueAt', 'dueShard', 'dueKey'],
  ...['lateAt', 'lateMilestone', 'riskAt', 'riskMilestone', 'lateShard', 'lateKey', 'late'],
];

/**
 * Builds the statement that records the clock's visit to an instance. The statement moves the instance to its next
 * visit in the due timer index or removes it from the index, and marks it as late if necessary. Its condition fails if
 * the row's version has changed since the row was read or, if the statement marks the instance as late, if `lateAt` has
 * changed.
 */
export function visitStatement(
  tableName: string,
  { instance, version, next, lateSince }: Visit,
): BatchStatementRequest {
  const changes = [
    ...(lateSince === undefined ? [] : ['SET "late" = ?']),
    ...(next === undefined ? ['REMOVE "dueShard"', 'REMOVE "dueKey"'] : ['SET "dueKey" = ?']),
  ];
  return {
    Statement: `UPDATE "${tableName}" ${changes.join(' ')} WHERE "pk" = ? AND "sk" = ? AND "version" = ?${lateSince === undefined ? '' : ' AND "lateAt" = ?'}`,
    Parameters: [
      ...(lateSince === undefined ? [] : [{ BOOL: true }]),
      ...(next === undefined ? [] : [{ S: indexKey(next, instance) }]),
      { S: partitionOf(instance) },
      { S: statusKey },
      { N: String(version) },
      ...(lateSince === undefined ? [] : [{ S: lateSince }]),
    ],
  };
}

/**
 * Returns true if a row is marked as late: by the commit, or by the clock if the instance became late without an event.
 */
export const isMarkedLate = (item: Item): boolean => item.late?.BOOL === true;

/** Returns true if an instance has parked events or an announced queue change. */
export const mayHaveParkedEvents = ({ parked, parking }: Item) =>
  Number(parked?.N ?? 0) > 0 || (parking?.SS ?? []).length > 0;

/** Parses a status row. */
export function toStatusRow(item: Item): StatusRow {
  return {
    ...instanceOf(item.pk!.S!),
    version: Number(item.version!.N),
    modelVersion: Number(item.modelVersion!.N),
    status: item.status!.S!,
    done: item.done!.BOOL!,
    progress: item.progress?.N === undefined ? null : Number(item.progress.N),
    startedAt: item.startedAt!.S ?? null,
    updatedAt: item.updatedAt!.S!,
    statusSince: item.statusSince!.S!,
    dueAt: item.dueAt?.S ?? null,
    lateAt: item.lateAt?.S ?? null,
    lateMilestone: item.lateMilestone?.S ?? null,
    riskAt: item.riskAt?.S ?? null,
    riskMilestone: item.riskMilestone?.S ?? null,
    deadlines: parseStored<string[]>(item.deadlines?.S ?? '[]'),
    keys: parseStored<string[]>(item.businessKeys?.S ?? '[]'),
    parked: Number(item.parked?.N ?? 0),
  };
}

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
function indexKey(moment: string, instance: InstanceKey): string {
  return `${moment}#${hash('sha1', partitionOf(instance)).slice(0, 12)}`;
}
