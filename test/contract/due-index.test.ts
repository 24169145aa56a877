import { afterAll, beforeAll, describe } from 'vitest';
import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import { DynamoDbParkingStore } from '../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbDueTimerIndex } from '../../src/aws/lists/dynamodb-due-timer-index.ts';
import { type Database, startDatabase } from '../aws/tables.ts';
import { MemoryDueIndex } from '../support/memory-due-index.ts';
import { MemoryDynamoDb } from '../support/memory-dynamodb.ts';
import { MemoryInstanceStore } from '../support/memory-instance-store.ts';
import { dueIndexContract, type IndexUnderTest } from './due-index.ts';

const inTable = (client: DynamoDb, table: string): IndexUnderTest => ({
  index: new DynamoDbDueTimerIndex(client, table),
  store: new DynamoDbInstanceStore(client, table),
  parking: new DynamoDbParkingStore(client, table),
});

describe('MemoryDueIndex', () => {
  const store = new MemoryInstanceStore();
  const index = new MemoryDueIndex(store);
  dueIndexContract(() => ({ index, store, parking: store }));
});

describe('DynamoDbDueIndex on a DynamoDB in memory', () => {
  const { dynamoDb } = new MemoryDynamoDb({
    instances: { indexes: { 'by-due': { partition: 'dueShard', sort: 'dueKey' } } },
  });
  dueIndexContract(() => inTable(dynamoDb, 'instances'));
});

describe('DynamoDbDueIndex', () => {
  let database: Database;
  let underTest: IndexUnderTest;
  beforeAll(async () => {
    database = await startDatabase();
    underTest = inTable(database.dynamoDb, (await database.newTables()).instances);
  });
  afterAll(() => database[Symbol.asyncDispose]());
  dueIndexContract(() => underTest);
});
