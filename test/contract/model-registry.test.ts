import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import { DynamoDbModelRegistry } from '../../src/aws/registry/model-registry.ts';
import { DynamoDbRegistryWriter } from '../../src/aws/registry/registry-writer.ts';
import { type Database, startDatabase } from '../aws/tables.ts';
import { MemoryModelRegistry } from '../support/memory-model-registry.ts';
import { modelRegistryContract } from './model-registry.ts';

describe('MemoryModelRegistry', () => {
  modelRegistryContract(() => {
    const registry = new MemoryModelRegistry();
    return Promise.resolve({ registry, writer: registry });
  });
});

it('reads consistently only where that is asked for', async () => {
  const reads: unknown[] = [];
  const client = {
    getItem({ ConsistentRead }: { readonly ConsistentRead?: boolean }) {
      reads.push(ConsistentRead);
      return Promise.resolve({});
    },
  };
  const registry = new DynamoDbModelRegistry(client as unknown as DynamoDb, 'registry');
  await registry.get('orders');
  await registry.getConsistent('orders');
  expect(reads).toEqual([false, true]);
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
