import { hash } from 'node:crypto';
import type { BatchStatementRequest, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Commit } from '../core/commit.ts';
import type { InstanceKey } from '../core/event.ts';
import { parkedStatus, type StatusRow, statusRow } from '../core/status-row.ts';
import type { Postponed } from '../service/ports.ts';
import type { Item } from './commit-item.ts';
import { instanceOf, partitionOf, shardFor, statusKey } from './instance-keys.ts';

/** The global secondary indexes of the instances table, and the keys of each. */
export const statusIndexes = {
  /** Every instance, by its latest change. */
  byChange: { name: 'by-change', partition: 'changeShard', sort: 'changeKey' },
  /** The instances of a model in one status, by their latest change. */
  byStatus: { name: 'by-status', partition: 'statusShard', sort: 'changeKey' },
  /** The instances of a model, by transaction id. */
  byTransaction: { name: 'by-transaction', partition: 'transactionShard', sort: 'transaction' },
  /** The instances of which a timer runs, by when the next one is due. */
  byDue: { name: 'by-due', partition: 'dueShard', sort: 'dueKey' },
} as const;

/** The update that brings an instance's status row up to a commit, unless it is further already. */
export function statusUpdate(tableName: string, commit: Commit): UpdateItemCommandInput {
  const row = statusRow(commit);
  const attributes = attributesOf(row);
  const names = Object.keys(attributes);
  return {
    TableName: tableName,
    Key: { pk: { S: partitionOf(row) }, sk: { S: statusKey } },
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}${
      row.dueAt === null ? ' REMOVE dueAt, dueShard, dueKey' : ''
    }`,
    ConditionExpression: 'attribute_not_exists(#version) OR #version < :version',
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      names.map((name) => [`:${name}`, attributes[name]!]),
    ),
  };
}

/** The attributes of a row that follow from the newest commit. */
function attributesOf(row: StatusRow): Item {
  return {
    version: { N: String(row.version) },
    modelVersion: { N: String(row.modelVersion) },
    status: { S: row.status },
    done: { BOOL: row.done },
    progress: row.progress === null ? { NULL: true } : { N: String(row.progress) },
    startedAt: { S: row.startedAt },
    updatedAt: { S: row.updatedAt },
    statusSince: { S: row.statusSince },
    changeShard: { S: shardFor('all', row) },
    changeKey: { S: changeKeyOf(row) },
    statusShard: { S: shardFor(`${row.model}#${row.status}`, row) },
    transactionShard: { S: shardFor(row.model, row) },
    transaction: { S: row.transaction },
    ...(row.dueAt === null ? {} : dueAttributes(row, row.dueAt)),
  };
}

function dueAttributes(row: StatusRow, dueAt: string): Item {
  return {
    dueAt: { S: dueAt },
    dueShard: { S: shardFor('due', row) },
    dueKey: { S: indexKey(dueAt, row) },
  };
}

/**
 * The statement that moves an instance along the index of what is due, unless its row was written
 * anew: then its condition does not hold.
 */
export function postponeStatement(
  tableName: string,
  { instance, version, until }: Postponed,
): BatchStatementRequest {
  return {
    Statement: `UPDATE "${tableName}" SET "dueKey" = ? WHERE "pk" = ? AND "sk" = ? AND "version" = ?`,
    Parameters: [
      { S: indexKey(until, instance) },
      { S: partitionOf(instance) },
      { S: statusKey },
      { N: String(version) },
    ],
  };
}

/**
 * The update that has an instance's status row say how many events are parked.
 * Where there is no row yet, because its very first event is parked, it makes one.
 *
 * @param since when the oldest of them came; RFC 3339 in UTC.
 */
export function parkedUpdate(
  tableName: string,
  instance: InstanceKey,
  count: number,
  since: string | undefined,
): UpdateItemCommandInput {
  const key = {
    TableName: tableName,
    Key: { pk: { S: partitionOf(instance) }, sk: { S: statusKey } },
  };
  if (since === undefined)
    return {
      ...key,
      UpdateExpression: 'SET parked = :parked',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':parked': { N: String(count) } },
    };
  const first = attributesOf({
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
    parked: count,
  });
  const names = Object.keys(first);
  return {
    ...key,
    UpdateExpression: `SET parked = :parked, ${names.map((name) => `#${name} = if_not_exists(#${name}, :${name})`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(names.map((name) => [`:${name}`, first[name]!])),
      ':parked': { N: String(count) },
    },
  };
}

/** Reads a status row back. */
export function toStatusRow(item: Item): StatusRow {
  return {
    ...instanceOf(item.pk!.S!),
    version: Number(item.version?.N),
    modelVersion: Number(item.modelVersion?.N),
    status: item.status!.S!,
    done: item.done?.BOOL ?? false,
    progress: item.progress?.N === undefined ? null : Number(item.progress.N),
    startedAt: item.startedAt!.S!,
    updatedAt: item.updatedAt!.S!,
    statusSince: item.statusSince!.S!,
    dueAt: item.dueAt?.S ?? null,
    parked: Number(item.parked?.N ?? 0),
  };
}

/** What the indexes by latest change sort by. */
export const changeKeyOf = (row: Pick<StatusRow, 'updatedAt' | 'model' | 'transaction'>) =>
  indexKey(row.updatedAt, row);

/** What no sort key of an index at or before a moment comes after. */
export const indexEnd = (moment: string) => `${moment}#~`;

/**
 * A moment as a sort key of an index. So that two instances with the same one stay apart, there is a
 * digest of the name behind it (the name itself may be longer than a sort key).
 */
function indexKey(moment: string, instance: InstanceKey): string {
  return `${moment}#${hash('sha1', partitionOf(instance)).slice(0, 12)}`;
}
