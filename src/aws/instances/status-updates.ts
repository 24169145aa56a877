import type { BatchStatementRequest, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Visit } from '../../clock/due-timer-index.ts';
import type { Head } from '../../core/history/commit.ts';
import { statusRow } from '../../core/status/status-row.ts';
import { insertStatement } from '../dynamodb/execute-statements.ts';
import { namePlaceholders, valuePlaceholders } from '../dynamodb/placeholders.ts';
import { itemKey, partitionOf, statusKey } from './instance-keys.ts';
import type { Partitions } from './partition-counts.ts';
import { absentAttributes, attribute, presentAttributes } from './status-attributes.ts';
import { indexKey } from './status-index-keys.ts';
import { derivedAttributes } from './status-item.ts';

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
    UpdateExpression: `${update.UpdateExpression} ADD ${attribute('queueVersion')} :one`,
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
  const { key, attributes, absent } = rowOf(head, partitions);
  const names = Object.keys(attributes);
  return {
    TableName: tableName,
    Key: key,
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}${
      absent.length > 0 ? ` REMOVE ${absent.join(', ')}` : ''
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
  const { key, attributes, absent } = rowOf(head, partitions);
  if (head.version === 1) return insertStatement(tableName, { ...key, ...attributes });
  const set = Object.keys(attributes).map((name) => `SET "${name}" = ?`);
  const remove = absent.map((name) => `REMOVE "${name}"`);
  return {
    Statement: `UPDATE "${tableName}" ${[...set, ...remove].join(' ')} WHERE "pk" = ? AND "sk" = ? AND "${attribute('version')}" < ?`,
    Parameters: [...Object.values(attributes), key.pk, key.sk, attributes['version']!],
  };
}

/** Returns the key of a head's status row, the attributes that the row has, and the names of those that it lacks. */
function rowOf(head: Head, partitions: Partitions) {
  const row = statusRow(head);
  const derived = derivedAttributes(row, partitions);
  return {
    key: itemKey(row, statusKey),
    attributes: presentAttributes(derived),
    absent: absentAttributes(derived),
  };
}

/**
 * Builds the statement that records the clock's visit to an instance. It moves the instance to its next
 * visit in the due timer index or removes it from the index, and marks it as late if necessary. Its condition fails if
 * the row's version has changed since the row was read or, if the statement marks the instance as late, if `lateAt` has
 * changed.
 */
export function visitStatement(tableName: string, visit: Visit): BatchStatementRequest {
  const { instance, next, lateSince } = visit;
  const changes = [
    ...(lateSince === undefined ? [] : [`SET "${attribute('late')}" = ?`]),
    ...(next === undefined
      ? [`REMOVE "${attribute('dueShard')}"`, `REMOVE "${attribute('dueKey')}"`]
      : [`SET "${attribute('dueKey')}" = ?`]),
  ];
  return {
    Statement: `UPDATE "${tableName}" ${changes.join(' ')} WHERE "pk" = ? AND "sk" = ? AND "${attribute('version')}" = ?${lateSince === undefined ? '' : ` AND "${attribute('lateAt')}" = ?`}`,
    Parameters: [
      ...(lateSince === undefined ? [] : [{ BOOL: true }]),
      ...(next === undefined ? [] : [{ S: indexKey(next, instance) }]),
      { S: partitionOf(instance) },
      { S: statusKey },
      { N: String(visit.version) },
      ...(lateSince === undefined ? [] : [{ S: lateSince }]),
    ],
  };
}
