import { afterAll, beforeAll, describe } from 'vitest';
import { DynamoDbObservationStore } from '../../src/aws/monitoring/dynamodb-observation-store.ts';
import { type Database, startDatabase } from '../aws/tables.ts';
import { MemoryObservationStore } from '../support/memory-observation-store.ts';
import { type ObservationsUnderTest, observationStoreContract } from './observation-store.ts';

describe('MemoryObservationStore', () => {
  const store = new MemoryObservationStore();
  observationStoreContract(() => ({ store, other: store }));
});

describe('DynamoDbObservationStore', () => {
  let database: Database;
  let underTest: ObservationsUnderTest;
  beforeAll(async () => {
    database = await startDatabase();
    const { instances } = await database.newTables();
    const onTable = () => new DynamoDbObservationStore(database.dynamoDb, instances);
    underTest = { store: onTable(), other: onTable() };
  });
  afterAll(() => database[Symbol.asyncDispose]());
  observationStoreContract(() => underTest);
});
