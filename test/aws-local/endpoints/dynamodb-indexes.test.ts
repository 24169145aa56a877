import {
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  type GlobalSecondaryIndexUpdate,
  PutItemCommand,
  QueryCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { dynamoDbOf, running, temporaryFolder } from './support.ts';

const TableName = 'leases';
const IndexName = 'by-owner';
const create: GlobalSecondaryIndexUpdate = {
  Create: {
    IndexName,
    KeySchema: [
      { AttributeName: 'owner', KeyType: 'HASH' },
      { AttributeName: 'lease', KeyType: 'RANGE' },
    ],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  },
};
const ownerDefinition = { AttributeName: 'owner', AttributeType: 'S' as const };
const leaseDefinition = { AttributeName: 'lease', AttributeType: 'S' as const };

async function tableWith(
  leases: Record<string, object>,
  dataFolder: string | null = null,
  throughput?: { ReadCapacityUnits: number; WriteCapacityUnits: number },
) {
  const endpoint = await running(startDynamoDb({ port: 0, dataFolder }));
  const client = dynamoDbOf(endpoint);
  onTestFinished(() => client.destroy());
  await client.send(
    new CreateTableCommand({
      TableName,
      ...(throughput
        ? { ProvisionedThroughput: throughput }
        : { BillingMode: 'PAY_PER_REQUEST' as const }),
      KeySchema: [{ AttributeName: 'lease', KeyType: 'HASH' }],
      AttributeDefinitions: [leaseDefinition],
    }),
  );
  const describeTable = async () =>
    (await client.send(new DescribeTableCommand({ TableName }))).Table;
  await vi.waitFor(async () => expect((await describeTable())?.TableStatus).toBe('ACTIVE'));
  const put = (lease: string, owner: object) =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: { lease: { S: lease }, owner: owner as { S: string }, counter: { N: '1' } },
      }),
    );
  for (const [lease, owner] of Object.entries(leases)) await put(lease, owner);
  const update = (...updates: GlobalSecondaryIndexUpdate[]) =>
    client.send(
      new UpdateTableCommand({
        TableName,
        AttributeDefinitions: [leaseDefinition, ownerDefinition],
        GlobalSecondaryIndexUpdates: updates,
      }),
    );
  const leasesOf = async (owner: string) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        IndexName,
        KeyConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': { S: owner } },
      }),
    );
    return Items;
  };
  return { endpoint, client, put, update, describeTable, leasesOf };
}

const lease = (id: string, owner: string) => ({ lease: { S: id }, owner: { S: owner } });

describe('an index that UpdateTable creates', () => {
  it('is active and contains the items that the table already has', async () => {
    const { update, describeTable, leasesOf } = await tableWith({ a: { S: 'x' }, b: { S: 'y' } });

    const { TableDescription } = await update(create);

    const index = { IndexName, IndexStatus: 'ACTIVE', Projection: { ProjectionType: 'KEYS_ONLY' } };
    const described = {
      TableStatus: 'ACTIVE',
      AttributeDefinitions: [leaseDefinition, ownerDefinition],
      GlobalSecondaryIndexes: [index],
    };
    expect(TableDescription).toMatchObject(described);
    expect(await describeTable()).toMatchObject(described);
    expect(await leasesOf('x')).toEqual([lease('a', 'x')]);
  });

  it('reflects later writes', async () => {
    const { client, put, update, leasesOf } = await tableWith({ a: { S: 'x' }, b: { S: 'x' } });
    await update(create);

    await put('a', { S: 'y' });
    await put('c', { S: 'y' });
    await client.send(new DeleteItemCommand({ TableName, Key: { lease: { S: 'b' } } }));

    expect(await leasesOf('x')).toEqual([]);
    expect(await leasesOf('y')).toEqual([lease('a', 'y'), lease('c', 'y')]);
  });

  it('contains the items that are written while it is created', async () => {
    const { put, update, leasesOf } = await tableWith({ first: { S: 'x' } });
    const ids = Array.from({ length: 50 }, (_, n) => `lease-${n}`);

    const writes = ids.map((id) => put(id, { S: 'y' }));
    await update(create);
    await Promise.all(writes);

    expect(await leasesOf('y')).toHaveLength(ids.length);
  });

  it('does not contain older items whose key attribute has another type', async () => {
    const { client, update, leasesOf } = await tableWith({ a: { N: '1' }, b: { S: 'x' } });

    await update(create);
    await client.send(new DeleteItemCommand({ TableName, Key: { lease: { S: 'a' } } }));

    expect(await leasesOf('x')).toEqual([lease('b', 'x')]);
  });

  it('remains after a restart', async () => {
    const folder = await temporaryFolder();
    const first = await tableWith({ a: { S: 'x' } }, folder);
    await first.update(create);
    await first.endpoint.close();

    const client = dynamoDbOf(await running(startDynamoDb({ port: 0, dataFolder: folder })));
    onTestFinished(() => client.destroy());
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table?.GlobalSecondaryIndexes).toMatchObject([{ IndexName, IndexStatus: 'ACTIVE' }]);
  });

  it.each([
    ['exists already', [create], /Duplicate index name: by-owner/],
    ['has an undefined key attribute', [withKey('place')], /not defined in AttributeDefinitions/],
    ['is created together with another index', [create, withName('other')], /Only 1 online index/],
  ])('is rejected if it %s', async (_, updates, message) => {
    const { update } = await tableWith({});
    if (updates[0] === create && updates.length === 1) await update(create);
    await expect(update(...updates)).rejects.toThrow(message);
  });

  it('needs throughput if the table has provisioned throughput', async () => {
    const throughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 };
    const { update } = await tableWith({ a: { S: 'x' } }, null, throughput);
    await expect(update(create)).rejects.toThrow(
      'ProvisionedThroughput must be specified for index: by-owner',
    );
    await update({ Create: { ...create.Create!, ProvisionedThroughput: throughput } });
  });
});

describe('an index that UpdateTable deletes', () => {
  it('disappears with its entries and the definitions of its key attributes', async () => {
    const { put, update, describeTable, leasesOf } = await tableWith({ a: { S: 'x' } });
    await update(create);

    await update({ Delete: { IndexName } });

    const table = await describeTable();
    expect(table?.GlobalSecondaryIndexes).toBeUndefined();
    expect(table?.AttributeDefinitions).toEqual([leaseDefinition]);
    await expect(leasesOf('x')).rejects.toThrow('index');
    await put('a', { S: 'y' });
    await update(create);
    expect(await leasesOf('x')).toEqual([]);
  });

  it('is reported as not found if the table does not have it', async () => {
    const { update } = await tableWith({});
    await expect(update({ Delete: { IndexName } })).rejects.toThrow('Index: by-owner not found');
  });
});

function withKey(AttributeName: string): GlobalSecondaryIndexUpdate {
  return { Create: { ...create.Create!, KeySchema: [{ AttributeName, KeyType: 'HASH' }] } };
}

function withName(name: string): GlobalSecondaryIndexUpdate {
  return { Create: { ...create.Create!, IndexName: name } };
}
