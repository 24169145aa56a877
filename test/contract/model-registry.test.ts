import { afterAll, beforeAll, describe } from 'vitest';
import { DynamoDbModelRegistry } from '../../src/aws/model-registry.ts';
import { DynamoDbRegistryWriter } from '../../src/aws/registry-writer.ts';
import { type Database, startDatabase } from '../aws/tables.ts';
import { MemoryModelRegistry } from '../support/memory-model-registry.ts';
import { modelRegistryContract } from './model-registry.ts';

describe('MemoryModelRegistry', () => {
  modelRegistryContract(() => {
    const registry = new MemoryModelRegistry();
    return Promise.resolve({ registry, writer: registry });
  });
});

describe('DynamoDbModelRegistry', () => {
  let database: Database;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());
  modelRegistryContract(async () => {
    const { client, dynamoDb } = database;
    const { registry } = await database.newTables();
    return {
      registry: new DynamoDbModelRegistry(dynamoDb, registry),
      writer: new DynamoDbRegistryWriter(client, registry),
    };
  });
});
