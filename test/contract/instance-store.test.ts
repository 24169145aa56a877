import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import { DynamoDbParkingStore } from '../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import { partitionOf, statusKey } from '../../src/aws/instances/instance-keys.ts';
import { toStatusRow } from '../../src/aws/instances/status-item.ts';
import { type Database, startDatabase } from '../aws/tables.ts';
import { MemoryDynamoDb } from '../support/memory-dynamodb.ts';
import { MemoryInstanceStore } from '../support/memory-instance-store.ts';
import { commitOf } from './commits.ts';
import type { StoreUnderTest } from './instance-store/store-under-test.ts';
import { instanceStoreContract } from './instance-store.ts';

describe('MemoryInstanceStore', () => {
  let store: MemoryInstanceStore;
  beforeEach(() => {
    store = new MemoryInstanceStore();
  });
  instanceStoreContract(() => ({
    store,
    other: store,
    parking: store,
    statusRow: ({ model, transaction }) =>
      Promise.resolve(store.rows.get(`${model}#${transaction}`)),
  }));
});

/** The store on a table, in two processes. */
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

describe('DynamoDbInstanceStore on a DynamoDB in memory', () => {
  const database = new MemoryDynamoDb({ instances: {} });
  const underTest = onTable(database.dynamoDb, 'instances');
  instanceStoreContract(() => underTest);
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
  instanceStoreContract(() => underTest);

  it('isolates a failed write from the others', async () => {
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
