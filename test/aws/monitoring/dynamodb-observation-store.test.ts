import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbObservationStore } from '../../../src/aws/monitoring/dynamodb-observation-store.ts';
import { StepDurations } from '../../../src/core/status/step-durations.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { observationStoreInMemory } from '../../support/aws-in-memory/stores-in-memory.ts';
import { type Database, startDatabase } from '../tables.ts';
import { type ObservationsUnderTest, observationCases } from './observation-cases.ts';

describe('DynamoDbObservationStore on an in-memory DynamoDB', () => {
  const database = new MemoryDynamoDb({ instances: {} });
  const [store, other] = [observationStoreInMemory(database), observationStoreInMemory(database)];
  observationCases(() => ({ store, other }));

  it('reads step durations that fill more than one page of a query', async () => {
    const processes = 80;
    const steps = 250;
    for (let n = 0; n < processes; n++) {
      const some = new StepDurations();
      const names = Array.from({ length: steps }, () => randomBytes(64).toString('base64'));
      some.add([...names, 'all'].map((step) => ({ step, ms: 1_000 })));
      await observationStoreInMemory(database).addStepDurations('large', some);
    }
    const stepDurations = await store.stepDurations('large');
    expect(stepDurations.estimate('all', 1)).toMatchObject({ count: processes });
  });
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
