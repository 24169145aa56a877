import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbStatusRows } from '../../../src/aws/instances/dynamodb-status-rows.ts';
import {
  keyIndexPartition,
  partitionOf,
  statusKey,
} from '../../../src/aws/instances/instance-keys.ts';
import { DynamoDbDueTimerIndex } from '../../../src/aws/lists/dynamodb-due-timer-index.ts';
import { DynamoDbInstanceScanner } from '../../../src/aws/lists/dynamodb-instance-scanner.ts';
import { headOf } from '../../../src/core/history/commit.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { commitOf } from '../../support/data/commits.ts';
import { type Database, startDatabase } from '../tables.ts';
import { type RowsUnderTest, statusRowCases } from './status-row-cases.ts';

const onTable = (client: DynamoDb, table: string): RowsUnderTest => ({
  store: new DynamoDbInstanceStore(client, table),
  parking: new DynamoDbParkingStore(client, table),
  rows: new DynamoDbStatusRows(client, table),
  walk: new DynamoDbInstanceScanner(client, table),
  dueTimers: new DynamoDbDueTimerIndex(client, table),
});

describe('DynamoDbStatusRows on an in-memory DynamoDB', () => {
  const { dynamoDb } = new MemoryDynamoDb({ instances: {} });
  const underTest = onTable(dynamoDb, 'instances');
  statusRowCases(() => underTest);

  const key = { model: 'm', transaction: 'T1' };
  const head = headOf(commitOf(key, 1, { description: { status: 'Open', keys: ['customer:42'] } }));
  const row = { pk: { S: partitionOf(key) }, sk: { S: statusKey } };
  const update = (UpdateExpression: string, value?: string) =>
    dynamoDb.updateItem({
      TableName: 'instances',
      Key: row,
      UpdateExpression,
      ...(value && { ExpressionAttributeValues: { ':value': { S: value } } }),
    });

  it.each([
    [
      'is inconsistent with the attributes that lists query',
      () => update('SET statusShard = :value', 'elsewhere'),
    ],
    ['is unreadable', () => update('REMOVE statusSince')],
    [
      'is due without a running timer',
      () => update('SET dueAt = :value', '2026-02-01T00:00:00.000Z'),
    ],
    ['is marked as late without a deadline', () => update('SET late = :value', 'true')],
    [
      'has a deadline but is missing from the due timer index',
      () => update('SET lateAt = :value', '2026-02-01T00:00:00.000Z'),
    ],
    [
      'is missing from the key index',
      () =>
        dynamoDb.deleteItem({
          TableName: 'instances',
          Key: { pk: { S: keyIndexPartition('customer:42', key, 8) }, sk: row.pk },
        }),
    ],
  ])('detects and rewrites a row that %s', async (_, tamper) => {
    const { rows, store } = underTest;
    await store.writeStatus([head]);
    await tamper();
    const broken = await rows.read(key);
    expect(broken).toEqual({ version: 1, row: undefined });
    expect(await rows.rewrite(head, broken)).toBe('written');
    expect(await rows.read(key)).toMatchObject({ row: { status: 'Open' } });
  });
});

describe('DynamoDbStatusRows', () => {
  let database: Database;
  let underTest: RowsUnderTest;
  beforeAll(async () => {
    database = await startDatabase();
    const { instances } = await database.newTables();
    underTest = onTable(database.dynamoDb, instances);
  });
  afterAll(() => database[Symbol.asyncDispose]());
  statusRowCases(() => underTest);
});
