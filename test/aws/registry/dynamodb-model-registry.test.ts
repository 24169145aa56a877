import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbModelRegistry } from '../../../src/aws/registry/dynamodb-model-registry.ts';
import { DynamoDbRegistryWriter } from '../../../src/aws/registry/dynamodb-registry-writer.ts';
import { versionsId } from '../../../src/aws/registry/versions-item.ts';
import { ModelRegistryInMemory } from '../../support/aws-in-memory/model-registry-in-memory.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { registryRequest } from '../../support/models/registry-request.ts';
import { type Database, startDatabase } from '../tables.ts';
import { modelRegistryCases } from './model-registry-cases.ts';

describe('DynamoDbModelRegistry on an in-memory DynamoDB', () => {
  modelRegistryCases(() => {
    const registry = new ModelRegistryInMemory();
    return Promise.resolve({ registry, writer: registry.writer });
  });
});

it('DynamoDbModelRegistry uses consistent reads only in getConsistent', async () => {
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

const version = {
  functionVersion: '7',
  version: 3,
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:orders:7',
  registeredAt: '2026-11-21T10:00:00.000Z',
};

describe('DynamoDbModelRegistry', () => {
  let database: Database;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());
  modelRegistryCases(async () => {
    const { dynamoDb } = database;
    const { registry } = await database.newTables();
    return {
      registry: new DynamoDbModelRegistry(dynamoDb, registry),
      writer: new DynamoDbRegistryWriter(dynamoDb, registry),
    };
  });

  it('fails with `contention` if another deployment registers a version before each write', async () => {
    const { dynamoDb } = database;
    const { registry } = await database.newTables();
    let seconds = 10;
    const outrun: DynamoDb = {
      ...dynamoDb,
      async putItem(input) {
        const registeredAt = { S: `2026-11-21T10:00:${seconds++}.000Z` };
        const Item = { id: { S: versionsId('orders') }, registeredAt, versions: { L: [] } };
        await dynamoDb.putItem({ TableName: registry, Item });
        return dynamoDb.putItem(input);
      },
    };
    const writer = new DynamoDbRegistryWriter(outrun, registry);
    await expect(writer.keepVersion('orders', version, registryRequest())).rejects.toMatchObject({
      code: 'contention',
      message: expect.stringContaining('orders'),
    });
    expect(seconds).toBe(15);
    const alone = new DynamoDbRegistryWriter(dynamoDb, registry);
    expect(await alone.keepVersion('orders', version, registryRequest())).toEqual([version]);
  });

  it('replaces items that were stored before they named a resource', async () => {
    const { dynamoDb } = database;
    const { registry: table } = await database.newTables();
    const entry = { ...registryEntry('orders'), registeredAt: version.registeredAt };
    for (const item of [entry, { id: versionsId('orders'), revision: 1, versions: [version] }])
      await dynamoDb.putItem({
        TableName: table,
        Item: marshall(item, { removeUndefinedValues: true }),
      });
    const registry = new DynamoDbModelRegistry(dynamoDb, table);
    const writer = new DynamoDbRegistryWriter(dynamoDb, table);
    const at = '2026-11-21T11:00:00.000Z';
    const next = { ...version, functionVersion: '8', registeredAt: at };
    const update = registryRequest({ at, isTimed: true });
    expect(await writer.keepVersion('orders', next, update)).toEqual([next, version]);
    expect(await writer.put({ ...entry, registeredAt: at }, update)).toEqual({ replaced: entry });
    await writer.remove('orders', registryRequest({ type: 'Delete', at, isTimed: true }));
    expect(await registry.get('orders')).toBeUndefined();
    expect(await registry.versions('orders')).toEqual([]);
  });
});
