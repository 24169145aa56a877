import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { DynamoDbInstanceStore } from '../../src/aws/dynamodb-instance-store.ts';
import { partitionOf, statusKey } from '../../src/aws/instance-keys.ts';
import { toStatusRow } from '../../src/aws/status-item.ts';
import { type Database, startDatabase } from '../aws/tables.ts';
import { MemoryInstanceStore } from '../support/memory-instance-store.ts';
import { instanceStoreContract, type StoreUnderTest } from './instance-store.ts';

describe('MemoryInstanceStore', () => {
  let store: MemoryInstanceStore;
  beforeEach(() => {
    store = new MemoryInstanceStore();
  });
  instanceStoreContract(() => ({
    store,
    statusRow: ({ model, transaction }) =>
      Promise.resolve(store.rows.get(`${model}#${transaction}`)),
  }));
});

describe('DynamoDbInstanceStore', () => {
  let database: Database;
  let underTest: StoreUnderTest;
  beforeAll(async () => {
    database = await startDatabase();
    const { client } = database;
    const { instances: TableName } = await database.newTables();
    underTest = {
      store: new DynamoDbInstanceStore(client, TableName),
      async statusRow(key) {
        const Key = { pk: { S: partitionOf(key) }, sk: { S: statusKey } };
        const { Item } = await client.send(new GetItemCommand({ TableName, Key }));
        return Item && toStatusRow(Item);
      },
    };
  });
  afterAll(() => database[Symbol.asyncDispose]());
  instanceStoreContract(() => underTest);
});
