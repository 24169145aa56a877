import { afterAll, beforeAll, describe } from 'vitest';
import { DynamoDbObservationStore } from '../../../src/aws/monitoring/dynamodb-observation-store.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { observationStoreInMemory } from '../../support/aws-in-memory/stores-in-memory.ts';
import { type Database, startDatabase } from '../tables.ts';
import { type ObservationsUnderTest, observationCases } from './observation-cases.ts';

describe('DynamoDbObservationStore on an in-memory DynamoDB', () => {
  const database = new MemoryDynamoDb({ instances: {} });
  const [store, other] = [observationStoreInMemory(database), observationStoreInMemory(database)];
  observationCases(() => ({ store, other }));
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
  observationCases(() => underTest);
});
