import { hash } from 'node:crypto';
import type { BatchStatementRequest, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Postponement } from '../../clock/due-timer-index.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { type StatusRow, statusRow } from '../../core/status/status-row.ts';
import type { Item } from '../client/dynamodb.ts';
import { insertStatement } from '../dynamodb/execute-statements.ts';
import { instanceOf, partitionOf, shardFor, statusKey } from './instance-keys.ts';

/** The global secondary indexes of the instances table, and the keys of each. */
export const statusIndexes = {
  /** Every instance, by the latest change of its row. */
  byChange: { name: 'by-change', partition: 'changeShard', sort: 'changeKey' },
  /** The instances of a model in one status, by the latest change of their rows. */
  byStatus: { name: 'by-status', partition: 'statusShard', sort: 'changeKey' },
  /** The instances of a model, by transaction id. */
  byTransaction: { name: 'by-transaction', partition: 'transactionShard', sort: 'transaction' },
  /** The instances of which a timer runs, by when the next one is due. */
  byDue: { name: 'by-due', partition: 'dueShard', sort: 'dueKey' },
  /** The instances that are or will be late, by from when on. */
  byLate: { name: 'by-late', partition: 'lateShard', sort: 'lateKey' },
  /** The instances with parked events, by when the oldest of these came. */
  byParked: { name: 'by-parked', partition: 'parkedShard', sort: 'parkedKey' },
} as const;

/** The update that brings an instance's status row up to a commit, unless it is further already. */
export const statusUpdate = (tableName: string, head: Head): UpdateItemCommandInput =>
  updateIf('attribute_not_exists(#version) OR #version < :version', tableName, head);

/**
 * The same, whatever the row says, unless somebody has written it since it was read.
 *
 * @param seen its version then; undefined where it had none.
 */
export function statusRewrite(
  tableName: string,
  head: Head,
  seen: number | undefined,
): UpdateItemCommandInput {
  if (seen === undefined) return updateIf('attribute_not_exists(#version)', tableName, head);
  const update = updateIf('#version = :seen', tableName, head);
  const values = { ...update.ExpressionAttributeValues, ':seen': { N: String(seen) } };
  return { ...update, ExpressionAttributeValues: values };
}

function updateIf(
  ConditionExpression: string,
  tableName: string,
  head: Head,
): UpdateItemCommandInput {
  const row = statusRow(head);
  const attributes = attributesOf(row);
  const names = Object.keys(attributes);
  const unwanted = absentAttributes(attributes);
  return {
    TableName: tableName,
    Key: { pk: { S: partitionOf(row) }, sk: { S: statusKey } },
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}${
      unwanted.length > 0 ? ` REMOVE ${unwanted.join(', ')}` : ''
    }`,
    ConditionExpression,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      names.map((name) => [`:${name}`, attributes[name]!]),
    ),
  };
}

/**
 * The same as a statement, for a row that is there unless this is the first commit: where it is
 * refused, the row may also be further, or missing.
 */
export function statusStatement(tableName: string, head: Head): BatchStatementRequest {
  const row = statusRow(head);
  const attributes = attributesOf(row);
  const key = { pk: { S: partitionOf(row) }, sk: { S: statusKey } };
  if (row.version === 1) return insertStatement(tableName, { ...key, ...attributes });
  const set = Object.keys(attributes).map((name) => `SET "${name}" = ?`);
  const remove = absentAttributes(attributes).map((name) => `REMOVE "${name}"`);
  return {
    Statement: `UPDATE "${tableName}" ${[...set, ...remove].join(' ')} WHERE "pk" = ? AND "sk" = ? AND "version" < ?`,
    Parameters: [...Object.values(attributes), key.pk, key.sk, attributes.version!],
  };
}

/** A partition that no list reads. No model's id is empty, so no model has it. */
const unlisted = '#unlisted';

/** The attributes of a row that follow from a commit. */
export function attributesOf(row: StatusRow): Item {
  // The keys are there all the same: parking fills in those that are missing.
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
    changeShard: { S: shardFor(isListed ? 'all' : unlisted, row) },
    changeKey: { S: changeKeyOf(row) },
    statusShard: { S: shardFor(isListed ? `${row.model}#${row.status}` : unlisted, row) },
    transactionShard: { S: shardFor(isListed ? row.model : unlisted, row) },
    transaction: { S: row.transaction },
    ...(row.keys.length > 0 ? { businessKeys: { S: JSON.stringify(row.keys) } } : {}),
    ...momentAttributes('due', row, row.dueAt),
    ...momentAttributes('late', row, row.lateAt),
  };
}

/** Where an instance is in an index that has only some of them. */
function momentAttributes(name: 'due' | 'late', row: InstanceKey, moment: string | null): Item {
  if (moment === null) return {};
  return { [`${name}At`]: { S: moment }, ...indexKeysOf(name, row, moment) };
}

/** The keys of an index that has only some of the instances. */
export const indexKeysOf = (
  name: 'due' | 'late' | 'parked',
  row: InstanceKey,
  moment: string,
): Item => ({
  [`${name}Shard`]: { S: shardFor(name, row) },
  [`${name}Key`]: { S: indexKey(moment, row) },
});

/** What a row must not keep of what it said before. */
export const absentAttributes = (attributes: Item): string[] =>
  ['businessKeys', 'dueAt', 'dueShard', 'dueKey', 'lateAt', 'lateShard', 'lateKey'].filter(
    (name) => !(name in attributes),
  );

/**
 * The statement that moves an instance along the index of what is due, unless its row was written
 * anew: then its condition does not hold.
 */
export function postponeStatement(
  tableName: string,
  { instance, version, until }: Postponement,
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

/** Whether events of an instance may be parked: some are, or are just being. */
export const mayHaveParkedEvents = ({ parked, parking }: Item) =>
  Number(parked?.N ?? 0) > 0 || (parking?.SS ?? []).length > 0;

/** Reads a status row back. */
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
    keys: parseJson<string[]>(item.businessKeys?.S ?? '[]'),
    parked: Number(item.parked?.N ?? 0),
  };
}

/** What the indexes by latest change sort by. */
export const changeKeyOf = (row: Pick<StatusRow, 'updatedAt' | 'model' | 'transaction'>) =>
  indexKey(row.updatedAt, row);

/** What no sort key of an index at or before a moment comes after. */
export const endOfMoment = (moment: string) => `${moment}#~`;

/**
 * A moment as a sort key of an index. So that two instances with the same one stay apart, there is a
 * digest of the name behind it (the name itself may be longer than a sort key).
 */
function indexKey(moment: string, instance: InstanceKey): string {
  return `${moment}#${hash('sha1', partitionOf(instance)).slice(0, 12)}`;
}
