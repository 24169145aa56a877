import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DynamoDbModelRegistry } from '../../src/aws/model-registry.ts';
import { DynamoDbRegistryWriter } from '../../src/aws/registry-writer.ts';
import type { RegistryEntry } from '../../src/core/registry-entry.ts';
import type { Endpoint } from '../../src/local/endpoints/endpoint.ts';
import { startDynamoDb } from '../../src/local/endpoints/start.ts';
import { dynamoDbOf } from '../support/dynamodb-of.ts';

let endpoint: Endpoint;
let client: DynamoDBClient;
let tables = 0;

beforeAll(async () => {
  endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  client = new DynamoDBClient({
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});

afterAll(async () => {
  client.destroy();
  await endpoint.close();
});

/** A registry with a table of its own. */
async function emptyRegistry() {
  const TableName = `registry-${tables++}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  const registry = new DynamoDbModelRegistry(dynamoDbOf(client), TableName);
  // A new table refuses requests until it is active.
  await expect.poll(() => registry.list().catch(() => undefined)).toEqual([]);
  return { registry, writer: new DynamoDbRegistryWriter(client, TableName) };
}

const orders: RegistryEntry = {
  id: 'orders',
  version: 3,
  title: 'Orders',
  statuses: ['New'],
  milestones: [{ id: 'paid', label: 'Paid' }],
  eventTypes: [],
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:orders',
  registeredAt: '2026-11-21T10:00:00.000Z',
};

it('gives back what was put, and nothing for what was not', async () => {
  const { registry, writer } = await emptyRegistry();
  const diagram = { nodes: [{ id: 'n', label: 'New' }], edges: [] };
  await writer.put({ ...orders, diagram });
  expect(await registry.get('orders')).toEqual({ ...orders, diagram });
  expect(await registry.get('returns')).toBeUndefined();
});

it('takes an entry without a diagram, and replaces one', async () => {
  const { registry, writer } = await emptyRegistry();
  await writer.put({ ...orders, diagram: undefined });
  await writer.put({ ...orders, version: 4, diagram: undefined });
  expect(await registry.get('orders')).toEqual({ ...orders, version: 4 });
});

it('lists every model by id, over as many pages as it takes', async () => {
  const { registry, writer } = await emptyRegistry();
  // More than the megabyte that DynamoDB answers with at a time.
  const title = 'x'.repeat(300_000);
  const ids = ['d', 'b', 'e', 'a', 'c'];
  await Promise.all(ids.map((id) => writer.put({ ...orders, id, title })));
  expect((await registry.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('removes an entry only of the function that is named', async () => {
  const { registry, writer } = await emptyRegistry();
  await writer.put(orders);
  expect(await writer.remove('orders', `${orders.functionArn}-2`)).toBe('kept');
  expect(await registry.get('orders')).toEqual(orders);
  expect(await writer.remove('orders', orders.functionArn)).toBe('removed');
  expect(await registry.get('orders')).toBeUndefined();
  expect(await writer.remove('orders', orders.functionArn)).toBe('kept');
});
