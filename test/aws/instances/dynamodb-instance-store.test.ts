import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { partitionOf, statusKey } from '../../../src/aws/instances/instance-keys.ts';
import { toStatusRow } from '../../../src/aws/instances/status-item.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { commitOf } from '../../support/data/commits.ts';
import { type Database, startDatabase } from '../tables.ts';
import type { StoreUnderTest } from './instance-store/store-under-test.ts';
import { instanceStoreCases } from './instance-store-cases.ts';

/** Two stores on the same table, as if in two processes. */
function onTable(client: DynamoDb, TableName: string): StoreUnderTest {
  return {
    store: new DynamoDbInstanceStore(client, TableName),
    other: new DynamoDbInstanceStore(client, TableName),
    parking: new DynamoDbParkingStore(client, TableName),
    async statusRow(key) {
      const Key = { pk: { S: partitionOf(key) }, sk: { S: statusKey } };
      const { Item } = await client.getItem({ TableName, Key });
      return Item && toStatusRow(Item);
    },
  };
}

describe('DynamoDbInstanceStore on an in-memory DynamoDB', () => {
  const database = new MemoryDynamoDb({ instances: {} });
  const underTest = onTable(database.dynamoDb, 'instances');
  instanceStoreCases(() => underTest);
});

describe('DynamoDbInstanceStore', () => {
  let database: Database;
  let underTest: StoreUnderTest;
  beforeAll(async () => {
    database = await startDatabase();
    const { instances } = await database.newTables();
    underTest = onTable(database.dynamoDb, instances);
  });
  afterAll(() => database[Symbol.asyncDispose]());
  instanceStoreCases(() => underTest);

  it('returns an error for a failed write without affecting other writes in the same request', async () => {
    const [good, bad] = ['good', 'bad'].map((transaction) => ({ model: 'm', transaction }));
    const tooLarge = commitOf(bad!, 1, { description: { status: 'x'.repeat(450_000) } });
    const { store } = underTest;
    expect(await store.commit([tooLarge, commitOf(good!, 1)])).toEqual([
      { error: expect.objectContaining({ code: 'too-large' }) },
      { value: 'committed' },
    ]);
    expect(await store.readConsistent([bad!, good!])).toStrictEqual([
      { value: { commit: undefined, hasParked: false } },
      { value: { commit: commitOf(good!, 1), hasParked: false } },
    ]);
  });
});
